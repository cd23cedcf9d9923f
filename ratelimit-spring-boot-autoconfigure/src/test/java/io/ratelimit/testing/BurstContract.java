package io.ratelimit.testing;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static io.ratelimit.core.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The most that a closed interval of one window can admit: never more, and there is traffic that reaches it. */
public abstract class BurstContract extends BackendContract {

    private static final long MINUTE = 60_000_000;

    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW, 200", "SLIDING_LOG, 100", "SLIDING_COUNTER, 101"})
    void aBurstAroundTheEdgeOfAWindow(Algorithm algorithm, long expected) {
        Policy policy = policy(Limit.ofMicros(algorithm, 100, MINUTE));
        time.set(EDGE + 59_900_000);
        long before = admitted(policy, 100);
        time.set(EDGE + 60_600_000);
        assertThat(before + admitted(policy, 100)).isEqualTo(expected);
    }

    @Test
    void fixedWindowReachesTwiceTheLimit() {
        Limit limit = Limit.ofMicros(FIXED_WINDOW, 10, MINUTE);
        assertThat(twoBursts(limit, MINUTE - 1, MINUTE)).isEqualTo(bound(limit)).isEqualTo(20);
    }

    @Test
    void slidingLogReachesTheLimit() {
        Limit limit = Limit.ofMicros(SLIDING_LOG, 10, MINUTE);
        assertThat(twoBursts(limit, 0, MINUTE)).isEqualTo(bound(limit)).isEqualTo(10);
    }

    @Test
    void slidingCounterReachesTwiceTheLimitLessOne() {
        Limit limit = Limit.ofMicros(SLIDING_COUNTER, 10, MINUTE);
        assertThat(twoBursts(limit, MINUTE - 1, 2 * MINUTE - 1))
                .isEqualTo(bound(limit))
                .isEqualTo(19);
    }

    @Test
    void tokenBucketReachesBurstAndLimit() {
        Limit limit = Limit.ofMicros(TOKEN_BUCKET, 10, MINUTE).withBurst(7);
        assertThat(steady(limit)).isEqualTo(bound(limit)).isEqualTo(17);
    }

    @Test
    void leakyBucketReachesQueueAndOneAndLimit() {
        Limit limit = Limit.ofMicros(LEAKY_BUCKET, 10, MINUTE).withBurst(5).withNodelay();
        assertThat(steady(limit)).isEqualTo(bound(limit)).isEqualTo(16);
    }

    @ParameterizedTest
    @EnumSource
    void noTrafficExceedsTheBound(Algorithm algorithm) {
        for (int seed = 0; seed < 60; seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm, 30);
            Policy policy = policy(limit);
            List<long[]> admitted = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                admitted.add(new long[] {time.micros(), admitted(policy, 1 + traffic.upTo(40))});
                time.advanceMicros(traffic.pause(limit));
            }
            assertThat(mostInOneWindow(admitted, limit.windowMicros()))
                    .as("%s", limit)
                    .isLessThanOrEqualTo(bound(limit));
        }
    }

    private static long bound(Limit limit) {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW -> 2 * limit.limit();
            case SLIDING_LOG -> limit.limit();
            case SLIDING_COUNTER -> 2 * limit.limit() - 1;
            case TOKEN_BUCKET -> limit.burst() + limit.limit();
            case LEAKY_BUCKET -> limit.burst() + 1 + limit.limit();
        };
    }

    /** As many as are admitted at two moments, at most one window apart. */
    private long twoBursts(Limit limit, long first, long second) {
        Policy policy = policy(limit);
        time.set(EDGE + first);
        long admitted = admitted(policy, 3 * limit.limit());
        time.set(EDGE + second);
        return admitted + admitted(policy, 3 * limit.limit());
    }

    /** As many as are admitted when somebody asks again and again for one window. */
    private long steady(Limit limit) {
        Policy policy = policy(limit);
        long admitted = 0;
        for (long tick = 0; tick <= limit.windowMicros(); tick += limit.windowMicros() / limit.limit()) {
            time.set(EDGE + tick);
            admitted += admitted(policy, limit.burst() + 2);
        }
        return admitted;
    }

    private static long mostInOneWindow(List<long[]> admitted, long window) {
        long most = 0;
        for (long[] first : admitted) {
            long sum = 0;
            for (long[] one : admitted) {
                sum += one[0] >= first[0] && one[0] - first[0] <= window ? one[1] : 0;
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}

package io.ratelimit.testing;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static io.ratelimit.core.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What went wrong in other limiters; the comment names where it was reported. */
public abstract class ReportedProblemsContract extends BackendContract {

    private static final long SECOND = 1_000_000;

    // alisaifee/flask-limiter#62
    @ParameterizedTest
    @CsvSource({
        "FIXED_WINDOW, 9600000",
        "SLIDING_LOG, 9600001",
        "SLIDING_COUNTER, 14600000",
        "TOKEN_BUCKET, 4600000",
        "LEAKY_BUCKET, 4600000"
    })
    void retryAfterIsNeitherTooShortNorNegative(Algorithm algorithm, long expected) {
        Policy policy = policy(limit(algorithm, 2, 10));
        assertThat(admitted(policy, 2)).isEqualTo(2);
        atSeconds(0.4);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(expected);
        time.advanceMicros(expected);
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    // fastify/fastify-rate-limit#301
    @ParameterizedTest
    @EnumSource
    void retryAfterOfTheSixthCallIsWithinAMinute(Algorithm algorithm) {
        Policy policy = policy(limit(algorithm, 5, 60));
        atSeconds(30);
        assertThat(admitted(policy, 5)).isEqualTo(5);
        long longest = algorithm == SLIDING_COUNTER ? 42 * SECOND : 60 * SECOND + 1;
        assertThat(acquire(policy, 1).retryAfterMicros()).isBetween(1L, longest);
    }

    // go-chi/httprate#47, dotnet/runtime#92557
    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW, 0", "SLIDING_LOG, 1"})
    void retryAfterFallsInsteadOfBeingTheWholeWindow(Algorithm algorithm, long closed) {
        Policy policy = policy(limit(algorithm, 10, 60));
        for (int second = 0; second < 20; second += 2) {
            atSeconds(second);
            assertThat(acquire(policy, 1).allowed()).isTrue();
        }
        for (int second = 20; second < 60; second += 2) {
            atSeconds(second);
            assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo((60 - second) * SECOND + closed);
        }
    }

    // dotnet/aspnetcore#52411
    @Test
    void slidingCounterTellsWhenToRetry() {
        Policy policy = policy(limit(SLIDING_COUNTER, 10, 60));
        atSeconds(30);
        assertThat(admitted(policy, 10)).isEqualTo(10);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(36 * SECOND);
        atSeconds(60);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(6 * SECOND);
        atSeconds(66);
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    // jeremy/rack-ratelimit#3, alisaifee/flask-limiter#56
    @ParameterizedTest
    @EnumSource
    void remainingCountsDownToZeroAndStaysThere(Algorithm algorithm) {
        Policy policy = policy(limit(algorithm, 3, 60));
        List<Long> remaining = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            remaining.add(acquire(policy, 1).remaining());
        }
        assertThat(remaining).containsExactly(2L, 1L, 0L, 0L, 0L);
    }

    // stefanprodan/AspNetCoreRateLimit#418
    @Test
    void remainingOfSeveralLimitsIsTheLeast() {
        Policy policy = policy(limit(FIXED_WINDOW, 10, 60), limit(FIXED_WINDOW, 2, 50));
        assertThat(acquire(policy, 1).remaining()).isEqualTo(1);
    }

    // spring-cloud/spring-cloud-gateway#2453
    @ParameterizedTest
    @EnumSource
    void limitsOfFractionsOfASecondAreCountedToo(Algorithm algorithm) {
        for (long[] rate : new long[][] {{1, 100_000}, {3, 250_000}}) {
            Limit limit = Limit.ofMicros(algorithm, rate[0], rate[1]);
            Policy policy = policy(
                    algorithm == LEAKY_BUCKET ? limit.withBurst(rate[0] - 1).withNodelay() : limit);
            assertThat(admitted(policy, rate[0] + 1)).isEqualTo(rate[0]);
            assertThat(backend.peek(policy, "alice").remaining()).isZero();
        }
    }

    // brandur/redis-cell#50, #80; hechaoli/simple-rate-limiters#1
    @ParameterizedTest
    @EnumSource
    void thousandsPerSecondAreCountedExactly(Algorithm algorithm) {
        assertThat(admitted(policy(limit(algorithm, 6000, 1)), 6001)).isEqualTo(6000);
        Policy billion = policy(limit(algorithm, 1_000_000_000, 1));
        assertThat(acquire(billion, 999_999_999).remaining()).isEqualTo(1);
    }

    // bucket4j#51, apache/pulsar#25262, alibaba/Sentinel#838
    @ParameterizedTest
    @EnumSource
    void longIdleTimesDoNotOverflow(Algorithm algorithm) {
        Policy policy = policy(limit(algorithm, 1_000_000, 1));
        assertThat(acquire(policy, 1).remaining()).isEqualTo(999_999);
        atSeconds(12 * 3600);
        assertThat(acquire(policy, 1).remaining()).isEqualTo(999_999);
        atSeconds(366 * 86_400);
        assertThat(acquire(policy, 1).remaining()).isEqualTo(999_999);
    }

    // bucket4j#51
    @Test
    void aLargeBucketRefillsWithoutOverflow() {
        Policy policy = policy(limit(TOKEN_BUCKET, 980_000_000, 10));
        assertThat(acquire(policy, 980_000_000).remaining()).isZero();
        atSeconds(5);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(490_000_000);
        atSeconds(10);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(980_000_000);
    }

    // udoprog/leaky-bucket#30
    @ParameterizedTest
    @EnumSource
    void afterIdlenessNoMoreThanTheLimitIsAdmitted(Algorithm algorithm) {
        Policy policy = policy(limit(algorithm, 5, 1));
        assertThat(admitted(policy, 100)).isEqualTo(5);
        atSeconds(3600);
        assertThat(admitted(policy, 100)).isEqualTo(5);
    }

    // apache/shenyu#6754
    @Test
    void expiredEntriesAreGoneBeforeCounting() {
        Policy policy = policy(limit(SLIDING_LOG, 3, 10));
        assertThat(admitted(policy, 3)).isEqualTo(3);
        atSeconds(10.001);
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    // peterkhayes/rolling-rate-limiter#11, sockudo/sockudo#251
    @Test
    void callsOfOneInstantAreAllCounted() {
        assertThat(admitted(policy(limit(SLIDING_LOG, 5, 10)), 10)).isEqualTo(5);
    }

    // laravel/framework#15152, alisaifee/limits#28, rate-limit-redis#83
    @Test
    void aCallDoesNotRenewTheWindow() {
        Policy policy = policy(limit(FIXED_WINDOW, 3, 60));
        long admitted = 0;
        for (int second = 0; second < 3600; second += 20) {
            atSeconds(second);
            admitted += acquire(policy, 1).allowed() ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(180);
    }

    // bucket4j#2, #128, governor#39, #219
    @Test
    void tokenBucketAdmitsTwiceTheLimitInTheFirstWindow() {
        Policy policy = policy(limit(TOKEN_BUCKET, 10, 60));
        assertThat(admitted(policy, 10)).isEqualTo(10);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(6 * SECOND);
        long later = 0;
        for (int second = 6; second <= 60; second += 6) {
            atSeconds(second);
            later += admitted(policy, 1);
        }
        assertThat(later).isEqualTo(10);
    }

    // laravel/framework#51967, GSA/api.data.gov#304
    @Test
    void limitsOfOnePolicyDoNotShareACounter() {
        Policy policy = policy(limit(FIXED_WINDOW, 5, 60), limit(FIXED_WINDOW, 50, 86_400));
        assertThat(admitted(policy, 6)).isEqualTo(5);
        assertThat(acquire(policy, 1).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(0L, 45L);
    }

    // ravangen/graphql-rate-limit#129, symfony/symfony#65796, envoyproxy/ratelimit#190
    @Test
    void aCallRefusedByOneLimitDoesNotSpendTheOther() {
        Policy policy = policy(limit(FIXED_WINDOW, 10, 60), limit(FIXED_WINDOW, 30, 1800));
        assertThat(admitted(policy, 15)).isEqualTo(10);
        assertThat(acquire(policy, 1).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(0L, 20L);
    }

    // governor#167
    @Test
    void oneUserCannotSpendTheGlobalLimitByBeingRefused() {
        Policy user = policy(limit(FIXED_WINDOW, 1, 3600));
        Policy global = policy(limit(FIXED_WINDOW, 10, 3600));
        for (int i = 0; i < 20; i++) {
            backend.acquireAll(List.of(Acquisition.of(user, "A", 1), Acquisition.of(global, "*", 1)));
        }
        assertThat(backend.acquireAll(List.of(Acquisition.of(user, "B", 1), Acquisition.of(global, "*", 1))))
                .extracting(Decision::remaining)
                .containsExactly(0L, 8L);
    }

    /** A limit whose capacity is the limit, for the leaky bucket without waiting. */
    private static Limit limit(Algorithm algorithm, long permits, long seconds) {
        Limit limit = Limit.ofMicros(algorithm, permits, seconds * SECOND);
        return algorithm == LEAKY_BUCKET ? limit.withBurst(permits - 1).withNodelay() : limit;
    }
}

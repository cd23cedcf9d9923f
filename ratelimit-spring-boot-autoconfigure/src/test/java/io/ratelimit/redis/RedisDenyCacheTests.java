package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Redis refused is refused here: how many commands that saves, and that no answer changes. */
class RedisDenyCacheTests {

    private static final long HOUR = 3_600_000_000L;

    private final ManualTimeSource time = new ManualTimeSource(1_760_054_400_000_000L);

    private final AtomicInteger commands = new AtomicInteger();

    private final RedisSettings settings =
            SharedRedis.settings().withDenyCache(new RedisSettings.DenyCacheSettings(true, Duration.ofMinutes(1), 100));

    private final RedisBackend backend = SharedRedis.usable(
            new RedisBackend(SharedRedis.factory(), settings, SharedRedis.local(), time, counting()));

    private final Backend elsewhere =
            SharedRedis.backend(time, settings.withDenyCache(RedisSettings.DenyCacheSettings.disabled()));

    private RedisObserver counting() {
        return new RedisObserver() {
            @Override
            public void answered(Duration took) {
                commands.incrementAndGet();
            }
        };
    }

    @AfterEach
    void close() {
        backend.close();
        ((RedisBackend) elsewhere).close();
    }

    /** It was refused for the sum; either alone is admitted. */
    @Test
    void aRefusalOfTwoWishesForOneKeyIsNotRemembered() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 3, HOUR));
        Acquisition two = Acquisition.of(policy, "k", 2);
        assertThat(backend.acquireAll(List.of(two, two)).get(1).allowed()).isFalse();
        assertThat(acquire(policy, 2).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedKeyCostsNoCommandUntilItCouldBeAdmitted(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 1, HOUR));
        acquire(policy, 1);
        Decision first = acquire(policy, 1);
        int asked = commands.get();
        while (time.micros() < first.atMicros() + first.retryAfterMicros() - 1) {
            time.advanceMicros(Math.max(1, (first.atMicros() + first.retryAfterMicros() - 1 - time.micros()) / 2));
            Decision repeated = acquire(policy, 1);
            assertThat(repeated.allowed()).isFalse();
            assertThat(repeated)
                    .hasToString(elsewhere
                            .acquire(policy, "k", 1, Acquisition.Mode.SPEND)
                            .toString());
        }
        assertThat(commands).hasValue(asked);
        time.advanceMicros(1);
        assertThat(acquire(policy, 1).allowed()).isTrue();
        assertThat(commands).hasValue(asked + 1);
    }

    @ParameterizedTest
    @EnumSource
    void aLargerCostIsToldItsOwnTimeAndASmallerOneIsAsked(Algorithm algorithm) {
        Limit limit = Limit.ofMicros(algorithm, 5, HOUR);
        Policy policy = Policy.of(
                "p", algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(4).withNodelay() : limit);
        acquire(policy, 3);
        acquire(policy, 3);
        time.advanceMicros(1_000);
        for (long cost = 3; cost <= 6; cost++) {
            assertThat(acquire(policy, cost))
                    .hasToString(elsewhere
                            .acquire(policy, "k", cost, Acquisition.Mode.SPEND)
                            .toString());
        }
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    @Test
    void whatIsReservedIsNotRemembered() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        acquire(policy, 1);
        int asked = commands.get();
        for (int i = 0; i < 3; i++) {
            assertThat(backend.acquire(policy, "k", 1, Acquisition.Mode.RESERVE).allowed())
                    .isFalse();
        }
        assertThat(commands).hasValue(asked + 3);
    }

    @Test
    void aRefundOrResetHereIsSeenAtOnce() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        Decision admitted = acquire(policy, 1);
        assertThat(acquire(policy, 1).allowed()).isFalse();
        assertThat(admitted.refund()).isTrue();
        assertThat(acquire(policy, 1).allowed()).isTrue();
        assertThat(acquire(policy, 1).allowed()).isFalse();
        backend.reset(policy, "k");
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    @Test
    void aChangedLimitIsSeenAtOnce() {
        acquire(Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR)), 1);
        acquire(Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR)), 1);
        Decision changed = acquire(Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 3, HOUR)), 1);
        assertThat(changed.allowed()).isTrue();
        assertThat(changed.remaining()).isEqualTo(1);
    }

    @Test
    void aResetElsewhereIsSeenWithinTheMaximumAge() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        RedisSettings brief =
                settings.withDenyCache(new RedisSettings.DenyCacheSettings(true, Duration.ofMillis(300), 100));
        try (RedisBackend forgetful = SharedRedis.backend(null, brief)) {
            forgetful.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
            forgetful.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
            elsewhere.reset(policy, "k");
            Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> forgetful
                    .acquire(policy, "k", 1, Acquisition.Mode.SPEND)
                    .allowed());
        }
    }

    @Test
    void oneRefusedKeyRefusesAllWithoutACommand() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        Policy other = Policy.of("other", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        acquire(policy, 1);
        acquire(policy, 1);
        int asked = commands.get();
        List<Decision> decisions =
                backend.acquireAll(List.of(Acquisition.of(policy, "k", 1), Acquisition.of(other, "k", 1)));
        assertThat(decisions).extracting(Decision::allowed).containsExactly(false, true);
        assertThat(decisions).extracting(Decision::counted).containsExactly(true, false);
        assertThat(commands).hasValue(asked);
        assertThat(backend.peek(other, "k").remaining()).isEqualTo(1);
    }

    @Test
    void noMoreIsRememberedThanAllowed() {
        DenyCache cache = new DenyCache(settings.denyCache(), time);
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 0, HOUR));
        java.nio.ByteBuffer state = java.nio.ByteBuffer.allocate(24);
        for (int i = 0; i < 1_000; i++) {
            Bucket bucket = sending(cache, policy, "b" + i);
            cache.remember(bucket, Answer.read(state.rewind(), time.micros(), policy));
            assertThat(cache.refusal(bucket)).isNotNull();
            assertThat(cache.size()).isLessThanOrEqualTo(101);
        }
    }

    @Test
    void aRefusalThatWasOnItsWayDuringARefundIsNotRemembered() {
        DenyCache cache = new DenyCache(settings.denyCache(), time);
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 0, HOUR));
        Bucket bucket = sending(cache, policy, "b");
        cache.clear("b");
        cache.remember(bucket, Answer.read(java.nio.ByteBuffer.allocate(24), time.micros(), policy));
        assertThat(cache.refusal(bucket)).isNull();
    }

    private static Bucket sending(DenyCache cache, Policy policy, String name) {
        return new Bucket(
                Acquisition.of(policy, "k", 1), name, new BucketLayout(policy), cache.sending(name, System.nanoTime()));
    }

    private Decision acquire(Policy policy, long cost) {
        return backend.acquire(policy, "k", cost, Acquisition.Mode.SPEND);
    }
}

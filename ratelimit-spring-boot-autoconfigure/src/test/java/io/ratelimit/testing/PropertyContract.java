package io.ratelimit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every limit and all traffic. */
public abstract class PropertyContract extends BackendContract {

    /** Waits up to this are tried: the clock must be moved that far. */
    private static final long CENTURIES = 3_000_000_000_000_000L;

    /** How many limits are tried for each property; each sees {@link #decisions()} requests. */
    protected int limits() {
        return 150;
    }

    protected int decisions() {
        return 40;
    }

    @ParameterizedTest
    @EnumSource
    void everyNumberIsThatOfTheDefinition(Algorithm algorithm) {
        for (int seed = 0; seed < limits(); seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm);
            Policy policy = policy(limit);
            Oracle oracle = new Oracle(limit);
            time.set(EDGE + traffic.upTo(limit.windowMicros()));
            for (int i = 0; i < decisions(); i++) {
                long cost = traffic.cost(limit);
                assertThat(Oracle.words(acquire(policy, cost)))
                        .as("seed %d, decision %d, cost %d, %s", seed, i, cost, limit)
                        .isEqualTo(oracle.acquire(time.micros(), cost));
                time.advanceMicros(traffic.pause(limit));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRequestIsAdmittedAtRetryAfterAndNoTickSooner(Algorithm algorithm) {
        int retried = 0;
        for (int seed = 0; seed < limits(); seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm);
            Policy policy = policy(limit);
            for (int i = 0; i < decisions(); i++) {
                long cost = traffic.cost(limit);
                Decision decision = acquire(policy, cost);
                if (decision.retryAfterMicros() > 0 && decision.retryAfterMicros() < CENTURIES) {
                    time.advanceMicros(decision.retryAfterMicros() - 1);
                    assertThat(acquire(policy, cost).allowed())
                            .as("%d %s", seed, limit)
                            .isFalse();
                    time.advanceMicros(1);
                    assertThat(acquire(policy, cost).allowed())
                            .as("%d %s", seed, limit)
                            .isTrue();
                    retried++;
                }
                time.advanceMicros(Math.min(traffic.pause(limit), limit.windowMicros() / 4));
            }
        }
        assertThat(retried).isGreaterThan(limits());
    }

    @ParameterizedTest
    @EnumSource
    void remainingRequestsAreAdmittedAndOneMoreIsNot(Algorithm algorithm) {
        for (int seed = 0; seed < limits(); seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm, 30);
            Policy policy = policy(limit);
            for (int i = 0; i < 5; i++) {
                time.advanceMicros(traffic.pause(limit));
                long remaining = acquire(policy, traffic.cost(limit)).remaining();
                assertThat(admitted(policy, remaining + 1))
                        .as("%d %s", seed, limit)
                        .isEqualTo(remaining);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void remainingGrowsByOneAtResetAfterAndNoTickSooner(Algorithm algorithm) {
        for (int seed = 0; seed < limits(); seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm);
            Policy policy = policy(limit);
            for (int i = 0; i < 10; i++) {
                Decision decision = acquire(policy, traffic.cost(limit));
                if (decision.resetAfterMicros() > 0 && decision.resetAfterMicros() < CENTURIES) {
                    time.advanceMicros(decision.resetAfterMicros() - 1);
                    assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(decision.remaining());
                    time.advanceMicros(1);
                    assertThat(backend.peek(policy, "alice").remaining()).isGreaterThan(decision.remaining());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRequestChangesNothing(Algorithm algorithm) {
        for (int seed = 0; seed < limits(); seed++) {
            RandomTraffic traffic = new RandomTraffic(seed);
            Limit limit = traffic.limit(algorithm);
            Policy disturbed = policy(limit);
            Policy quiet = policy(limit);
            for (int i = 0; i < decisions(); i++) {
                long cost = traffic.cost(limit);
                long unavailable = backend.peek(disturbed, "alice").remaining() + 1;
                assertThat(acquire(disturbed, unavailable).allowed()).isFalse();
                assertThat(Oracle.words(acquire(disturbed, cost)))
                        .as("%d %s", seed, limit)
                        .isEqualTo(Oracle.words(acquire(quiet, cost)));
                time.advanceMicros(traffic.pause(limit));
            }
        }
    }
}

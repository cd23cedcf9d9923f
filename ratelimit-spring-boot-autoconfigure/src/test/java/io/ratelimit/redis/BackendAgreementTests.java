package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.memory.MemoryBackend;
import io.ratelimit.testing.RandomTraffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory and Redis say the same, down to the last field, whatever is charged, looked at, given back and changed. */
class BackendAgreementTests {

    private static final long EDGE = 1_760_054_400_000_000L;

    private static final int HISTORIES = 40;

    private static final int STEPS = 40;

    private static final int MOST_LIMITS = 3;

    private final ManualTimeSource time = new ManualTimeSource();

    private final MemoryBackend memory = new MemoryBackend(time, 1_000_000);

    private final RedisBackend redis = SharedRedis.backend(time);

    /** What is swept under the limit of the last call may still count under an earlier one that comes back. */
    @BeforeEach
    void stopSweeping() {
        memory.close();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void aboutOneLimit(Algorithm algorithm) {
        for (int seed = 0; seed < HISTORIES; seed++) {
            new History(seed, algorithm).run();
        }
    }

    @Test
    void aboutSeveralLimits() {
        for (int seed = 0; seed < 2 * HISTORIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Algorithm[] algorithms = new Algorithm[random.nextInt(2, MOST_LIMITS + 1)];
            for (int i = 0; i < algorithms.length; i++) {
                algorithms[i] = Algorithm.values()[random.nextInt(Algorithm.values().length)];
            }
            new History(seed, algorithms).run();
        }
    }

    /** What happens to one key, on both. */
    private final class History {

        private final SplittableRandom random;

        private final RandomTraffic traffic;

        private final String name;

        private final List<Policy> policies = new ArrayList<>();

        private final List<Decision[]> decided = new ArrayList<>();

        private final List<String> happened = new ArrayList<>();

        private Policy policy;

        History(int seed, Algorithm... algorithms) {
            random = new SplittableRandom(seed);
            traffic = new RandomTraffic(seed);
            name = "%s-%d".formatted(List.of(algorithms), seed);
            long window =
                    switch (random.nextInt(3)) {
                        case 0 -> Limit.MIN_WINDOW_MICROS * random.nextLong(1, 20);
                        case 1 -> 60_000_000;
                        default -> Limit.MAX_WINDOW_MICROS / 2;
                    };
            Limit[] limits = new Limit[algorithms.length];
            for (int i = 0; i < limits.length; i++) {
                limits[i] = numbers(Limit.ofMicros(algorithms[i], 1, window * (1 + i % 2)));
            }
            use(List.of(limits));
            time.set(EDGE + random.nextLong(window));
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
                agree("seen", memory.peek(policy, "k"), redis.peek(policy, "k"));
            }
        }

        private void step() {
            switch (random.nextInt(32)) {
                case 0 -> reset();
                case 1, 2 -> reshape();
                case 3, 4, 5 -> use(policy.limits().stream().map(this::numbers).toList());
                case 6, 7, 8 -> policy = policies.get(random.nextInt(policies.size()));
                case 9, 10, 11, 12, 13 -> passTime();
                case 14, 15, 16, 17, 18, 19, 20 -> giveBack();
                default -> acquire();
            }
        }

        private void acquire() {
            long cost =
                    random.nextInt(8) == 0 ? 0 : traffic.cost(policy.limits().get(0));
            happened.add("acquire " + cost);
            Decision[] both = {
                memory.acquire(policy, "k", cost, Acquisition.Mode.RESERVE),
                redis.acquire(policy, "k", cost, Acquisition.Mode.RESERVE)
            };
            agree("acquired", both[0], both[1]);
            decided.add(both);
        }

        private void giveBack() {
            if (!decided.isEmpty()) {
                int latest = decided.size() - 1;
                Decision[] both = decided.get(random.nextBoolean() ? latest : random.nextInt(latest + 1));
                happened.add("refund " + both[0] + " at " + both[0].atMicros());
                assertThat(both[0].refund()).as(happened.toString()).isEqualTo(both[1].refund());
            }
        }

        private void use(List<Limit> limits) {
            policy = Policy.of(name, limits.toArray(Limit[]::new));
            policies.add(policy);
            happened.add("change to " + limits);
        }

        /**
         * Leaves the last limit out, or adds one. Not beside a log: what was left out and comes back resumes on Redis if its key
         * was not written meanwhile, and starts fresh in memory.
         */
        private void reshape() {
            List<Limit> limits = new ArrayList<>(policy.limits());
            Limit last = limits.get(limits.size() - 1);
            if (limits.stream().anyMatch(limit -> limit.algorithm() == Algorithm.SLIDING_LOG)) {
                return;
            }
            if (limits.size() > 1 && random.nextBoolean()) {
                limits.remove(limits.size() - 1);
            } else if (limits.size() < MOST_LIMITS) {
                limits.add(numbers(last));
            }
            use(limits);
        }

        private void reset() {
            memory.reset(policy, "k");
            redis.reset(policy, "k");
            happened.add("reset");
        }

        private void passTime() {
            long pause = traffic.pause(policy.limits().get(0));
            time.advanceMicros(pause);
            happened.add("pass " + pause);
        }

        /** The same limit with other numbers of permits. */
        private Limit numbers(Limit limit) {
            long most = random.nextInt(4) == 0 ? Limit.MAX_LIMIT : 12;
            Limit changed = Limit.ofMicros(limit.algorithm(), traffic.upTo(most) - 1, limit.windowMicros());
            return switch (limit.algorithm()) {
                case TOKEN_BUCKET -> random.nextBoolean() ? changed : changed.withBurst(traffic.upTo(most));
                case LEAKY_BUCKET -> queue(changed.withBurst(traffic.upTo(most) - 1));
                default -> changed;
            };
        }

        private Limit queue(Limit limit) {
            return switch (random.nextInt(5)) {
                case 0 -> limit.withNodelay();
                case 1 -> limit.withDelay(random.nextLong(limit.burst() + 1));
                case 2 -> limit.withMaxDelay(Duration.ofNanos(1_000 * traffic.upTo(2 * limit.windowMicros())));
                default -> limit;
            };
        }

        private void agree(String what, Decision one, Decision other) {
            assertThat(words(other)).as("%s: %s %s", name, happened, what).isEqualTo(words(one));
        }

        private String words(Decision decision) {
            return "%s at %d counted %s: %s"
                    .formatted(decision, decision.atMicros(), decision.counted(), decision.limits());
        }
    }
}

package io.ratelimit.testing;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import java.util.SplittableRandom;

/** Limits and traffic of all magnitudes, from a seed. */
public final class RandomTraffic {

    private final SplittableRandom random;

    public RandomTraffic(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A limit of any size and any setting of its algorithm. */
    public Limit limit(Algorithm algorithm) {
        return limit(algorithm, Limit.MAX_LIMIT);
    }

    /** A limit, and a burst, up to a size. */
    public Limit limit(Algorithm algorithm, long largest) {
        long window = Math.max(Limit.MIN_WINDOW_MICROS, upTo(Limit.MAX_WINDOW_MICROS));
        Limit limit = Limit.ofMicros(algorithm, upTo(largest), window);
        return switch (algorithm) {
            case TOKEN_BUCKET -> random.nextBoolean() ? limit : limit.withBurst(upTo(largest));
            case LEAKY_BUCKET -> queue(limit.withBurst(upTo(largest) - 1));
            default -> limit;
        };
    }

    private Limit queue(Limit limit) {
        return switch (random.nextInt(4)) {
            case 0 -> limit.withNodelay();
            case 1 -> limit.withDelay(upTo(limit.burst() + 1) - 1);
            case 2 ->
                limit.withMaxDelay(
                        java.time.Duration.of(upTo(2 * limit.windowMicros()), java.time.temporal.ChronoUnit.MICROS));
            default -> limit;
        };
    }

    /** A cost that is sometimes 1, sometimes anything, and sometimes about all that the limit ever grants. */
    public long cost(Limit limit) {
        long most = Math.max(1, Math.max(limit.burst(), limit.limit()));
        return switch (random.nextInt(4)) {
            case 0 -> upTo(most);
            case 1 -> Math.max(1, most / (1 + random.nextInt(4)));
            default -> 1;
        };
    }

    /** A pause that is sometimes none, sometimes short, sometimes about a window or more. */
    public long pause(Limit limit) {
        long window = limit.windowMicros();
        return switch (random.nextInt(6)) {
            case 0, 1 -> 0;
            case 2 -> upTo(window);
            case 3 -> window / (1 + random.nextInt(5));
            case 4 -> Math.max(0, window - 1 + random.nextInt(3));
            default -> limit.limit() == 0 ? window : window / limit.limit() + random.nextInt(2);
        };
    }

    /** A number from 1, all magnitudes being as likely. */
    public long upTo(long most) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(most);
        long bound = Math.min(most, (1L << random.nextInt(1, bits + 1)) - 1);
        return random.nextLong(1, bound + 1);
    }
}

package io.ratelimit.benchmarks;

import java.util.SplittableRandom;

/**
 * The arrivals of one client over a day: bursts of Poisson traffic with silence between them, busier at one time of the
 * day than at another.
 *
 * <p>How many requests a client sends is Pareto distributed (shape 1.1), so that few clients send most of the traffic. A
 * client is on for 40 s and off for 160 s in the mean, both exponentially distributed; while on, its rate swings by 60 %
 * around the mean with the hour of the day, the phase being the client's own.
 */
final class Source {

    static final long DAY_MICROS = 24L * 3600 * 1_000_000;

    private static final double SHAPE = 1.1;

    private static final double ON_MICROS = 40e6;

    private static final double OFF_MICROS = 160e6;

    private static final double SWING = 0.6;

    private final SplittableRandom random;

    private final double perMicroWhileOn;

    private final double phase;

    private double now;

    private double onUntil;

    /**
     * Creates a client.
     *
     * @param seed of its random numbers
     * @param smallestDaily the fewest requests a client sends in a day; the mean is 11 times as many
     * @param largestDaily the most
     */
    Source(long seed, double smallestDaily, double largestDaily) {
        random = new SplittableRandom(seed);
        double daily = Math.min(largestDaily, smallestDaily * Math.pow(1 - random.nextDouble(), -1 / SHAPE));
        perMicroWhileOn = daily / DAY_MICROS * (ON_MICROS + OFF_MICROS) / ON_MICROS;
        phase = random.nextDouble() * 2 * Math.PI;
        now = exponential(OFF_MICROS);
        onUntil = now + exponential(ON_MICROS);
    }

    /** Returns the time of the next request in microseconds since midnight, or -1 if the day is over. */
    long next() {
        while (true) {
            double swing = 1 + SWING * Math.sin(2 * Math.PI * now / DAY_MICROS + phase);
            now += exponential(1 / (perMicroWhileOn * swing));
            if (now >= DAY_MICROS) {
                return -1;
            }
            if (now < onUntil) {
                return (long) now;
            }
            now = onUntil + exponential(OFF_MICROS);
            onUntil = now + exponential(ON_MICROS);
        }
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }
}

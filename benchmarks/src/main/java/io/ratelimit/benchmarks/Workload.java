package io.ratelimit.benchmarks;

import java.util.SplittableRandom;

/** Which keys the requests carry, in which order. Keys have 12 characters. */
enum Workload {
    /** Every request has the same key. */
    HOT("one hot key"),
    /** 100,000 keys, each as likely. */
    UNIFORM("100,000 keys, uniform"),
    /** 100,000 keys, the n-th as likely as 1/n. */
    ZIPF("100,000 keys, Zipf");

    private static final int KEYS = 100_000;

    private static final int SEQUENCE = 1 << 20;

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** Returns a sequence of keys whose length is a power of two. */
    String[] sequence(long seed) {
        String[] keys = keys(this == HOT ? 1 : KEYS);
        SplittableRandom random = new SplittableRandom(seed);
        String[] sequence = new String[SEQUENCE];
        for (int i = 0; i < SEQUENCE; i++) {
            sequence[i] = keys[next(random)];
        }
        return sequence;
    }

    private int next(SplittableRandom random) {
        return switch (this) {
            case HOT -> 0;
            case UNIFORM -> random.nextInt(KEYS);
            // The inverse of the continuous distribution with density 1/x on 1..KEYS.
            case ZIPF -> (int) Math.min(KEYS - 1, Math.pow(KEYS, random.nextDouble()) - 1);
        };
    }

    /** Returns so many different keys of 12 characters. */
    static String[] keys(int count) {
        String[] keys = new String[count];
        for (int i = 0; i < count; i++) {
            keys[i] = key(i);
        }
        return keys;
    }

    /** Returns the n-th key. */
    static String key(int n) {
        return "client%06d".formatted(n);
    }
}

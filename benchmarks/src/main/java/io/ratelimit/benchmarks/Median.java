package io.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Values of several rounds, of which the middle one counts. */
final class Median {

    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    double value() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}

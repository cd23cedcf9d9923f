package io.ratelimit.sample.playground;

import java.util.List;

/**
 * Traffic and the limits that it meets.
 *
 * @param settings the limits
 * @param arrivals the traffic, in any order
 * @param fromMicros the beginning of the picture, in microseconds since the start
 * @param untilMicros its end
 */
record Scenario(Settings settings, List<Arrivals> arrivals, long fromMicros, long untilMicros) {

    private static final int MAX_REQUESTS = 5_000;

    private static final int MAX_INSTANTS = 2_000;

    Scenario {
        arrivals = List.copyOf(arrivals);
        long requests = arrivals.stream().mapToLong(Arrivals::count).sum();
        if (requests > MAX_REQUESTS || arrivals.size() > MAX_INSTANTS) {
            throw new IllegalArgumentException("arrivals: %d requests at %d instants are too many; use at most %d at %d"
                    .formatted(requests, arrivals.size(), MAX_REQUESTS, MAX_INSTANTS));
        }
        if (fromMicros < 0 || fromMicros >= untilMicros) {
            throw new IllegalArgumentException(
                    "from: %d us is not between 0 and until, %d us".formatted(fromMicros, untilMicros));
        }
        long last = arrivals.stream().mapToLong(Arrivals::atMicros).max().orElse(0);
        if (untilMicros < last) {
            throw new IllegalArgumentException(
                    "until: %d us is before the last arrival at %d us".formatted(untilMicros, last));
        }
    }
}

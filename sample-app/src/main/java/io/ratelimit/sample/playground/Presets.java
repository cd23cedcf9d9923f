package io.ratelimit.sample.playground;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static io.ratelimit.core.Algorithm.TOKEN_BUCKET;

import io.ratelimit.core.Algorithm;
import java.time.Duration;
import java.util.List;

/** The scenarios that teach most. Their numbers are worked out by hand in the tests' tables. */
final class Presets {

    private static final Settings FIVE_PER_30S = Settings.of(5, Duration.ofSeconds(30));

    private static final Settings ONE_A_SECOND_QUEUE_5 =
            Settings.of(1, Duration.ofSeconds(1)).withQueue(5);

    private static final List<Preset> ALL = List.of(
            preset(
                    "boundary-burst",
                    "Boundary burst",
                    "100 requests just before the minute and 100 just after it: the fixed window lets all 200 through,"
                            + " twice its limit, the log 100 and the counter 101.",
                    focus(FIXED_WINDOW, SLIDING_LOG, SLIDING_COUNTER),
                    Settings.of(100, Duration.ofMinutes(1)),
                    54,
                    68,
                    Arrivals.at(59.9, 100),
                    Arrivals.at(60.6, 100)),
            preset(
                    "parking-lot",
                    "Parking lot",
                    "Five spaces, thirty seconds each: at 25 s the lot is full, at 35 s one car has left, and the cars"
                            + " of 5 s are gone only just after 35 s.",
                    focus(SLIDING_LOG),
                    FIVE_PER_30S,
                    0,
                    75,
                    Arrivals.at(0, 1),
                    Arrivals.at(5, 2),
                    Arrivals.at(15, 2),
                    Arrivals.at(25, 1),
                    Arrivals.at(35, 1),
                    Arrivals.at(40, 3)),
            preset(
                    "early-burst",
                    "Early burst",
                    "Five requests in the first second of a window: at 33 s the log has forgotten them, the counter"
                            + " still estimates that 4.5 of them count, and refuses.",
                    focus(SLIDING_LOG, SLIDING_COUNTER),
                    FIVE_PER_30S,
                    0,
                    65,
                    Arrivals.at(0.5, 5),
                    Arrivals.at(33, 1)),
            preset(
                    "late-burst",
                    "Late burst",
                    "The same five requests at the window's end: at 45 s the log still holds all of them, the counter"
                            + " estimates 2.5, and admits.",
                    focus(SLIDING_LOG, SLIDING_COUNTER),
                    FIVE_PER_30S,
                    0,
                    65,
                    Arrivals.at(29, 5),
                    Arrivals.at(45, 1)),
            preset(
                    "first-admission",
                    "The first tick",
                    "The counter fades the five requests of the first window out: it refuses at 35.999999 s and admits"
                            + " at 36 s, to the microsecond.",
                    focus(SLIDING_COUNTER),
                    FIVE_PER_30S,
                    0,
                    65,
                    Arrivals.at(1, 5),
                    Arrivals.at(33, 1),
                    Arrivals.at(35.999999, 1),
                    Arrivals.at(36, 1)),
            preset(
                    "weighted",
                    "Weighted window",
                    "At 35 s the counter still weighs the old window with 25/30 and refuses; at 40 s there is room for"
                            + " one request, but not for two.",
                    focus(SLIDING_COUNTER),
                    FIVE_PER_30S,
                    0,
                    65,
                    Arrivals.at(1, 5),
                    Arrivals.at(35, 1),
                    Arrivals.at(40, 1),
                    Arrivals.at(40, 1)),
            preset(
                    "starts-full",
                    "A full bucket",
                    "The token bucket starts with ten tokens and gains one every six seconds: ten pass at once, then"
                            + " one at a time, until a minute's rest has filled it again.",
                    focus(TOKEN_BUCKET),
                    Settings.of(10, Duration.ofMinutes(1)),
                    0,
                    80,
                    Arrivals.at(0, 11),
                    Arrivals.at(5.999999, 1),
                    Arrivals.at(6, 2),
                    Arrivals.at(12, 1),
                    Arrivals.at(72, 11)),
            preset(
                    "queue",
                    "The queue",
                    "The leaky bucket runs the first request at once, lets five wait one second longer each, and"
                            + " refuses two; a second later one place is free.",
                    focus(LEAKY_BUCKET),
                    ONE_A_SECOND_QUEUE_5,
                    0,
                    10,
                    Arrivals.at(0, 8),
                    Arrivals.at(1, 2)),
            preset(
                    "nodelay",
                    "The queue, nodelay",
                    "The same queue with nodelay: the same six are admitted, but nobody waits; places still free up one"
                            + " a second.",
                    focus(LEAKY_BUCKET),
                    ONE_A_SECOND_QUEUE_5.withNodelay(),
                    0,
                    10,
                    Arrivals.at(0, 8),
                    Arrivals.at(1, 2)));

    private Presets() {}

    static List<Preset> all() {
        return ALL;
    }

    private static List<Algorithm> focus(Algorithm... algorithms) {
        return List.of(algorithms);
    }

    private static Preset preset(
            String id,
            String title,
            String watch,
            List<Algorithm> focus,
            Settings settings,
            int fromSeconds,
            int untilSeconds,
            Arrivals... arrivals) {
        Scenario scenario =
                new Scenario(settings, List.of(arrivals), fromSeconds * 1_000_000L, untilSeconds * 1_000_000L);
        return new Preset(id, title, watch, focus, scenario);
    }
}

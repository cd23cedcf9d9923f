package io.ratelimit.sample.playground;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.memory.MemoryBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/**
 * Sends traffic through the limiter while a clock is set by hand, so that minutes pass in no time. The decisions are
 * those of the starter's own memory backend; nothing is simulated but the clock.
 */
@Component
class TimeLapse {

    private static final String KEY = "visitor";

    /** The curve follows every change unless there are more of them than a screen has pixels. */
    private static final long POINTS_ACROSS = 1_000;

    /** Enough for one visitor and the longest log. */
    private static final long MAX_KEYS = 10_000;

    List<Lane> run(Scenario scenario) {
        return Arrays.stream(Algorithm.values())
                .map(algorithm -> run(scenario, algorithm))
                .toList();
    }

    private static Lane run(Scenario scenario, Algorithm algorithm) {
        ManualTimeSource time = new ManualTimeSource();
        try (MemoryBackend backend = new MemoryBackend(time, MAX_KEYS)) {
            return new Run(scenario, algorithm, time, backend).lane();
        }
    }

    /** One algorithm meets the traffic. */
    private static final class Run {

        private final Scenario scenario;
        private final Policy policy;
        private final ManualTimeSource time;
        private final Backend backend;
        private final List<Lane.Moment> moments = new ArrayList<>();
        private final List<Lane.CurvePoint> curve = new ArrayList<>();

        Run(Scenario scenario, Algorithm algorithm, ManualTimeSource time, Backend backend) {
            this.scenario = scenario;
            this.time = time;
            this.backend = backend;
            this.policy = Policy.of("playground", scenario.settings().limitFor(algorithm));
        }

        Lane lane() {
            long capacity = backend.peek(policy, KEY).remaining();
            sortedArrivals().forEach((atMicros, count) -> {
                follow(atMicros);
                time.set(atMicros);
                moments.add(moment(count));
            });
            follow(scenario.untilMicros());
            int admitted = moments.stream().mapToInt(Lane.Moment::admitted).sum();
            int refused = moments.stream().mapToInt(Lane.Moment::refused).sum();
            int delayed = moments.stream()
                    .mapToInt(moment -> moment.delaysMicros().size())
                    .sum();
            Algorithm algorithm = policy.limits().get(0).algorithm();
            return new Lane(algorithm, capacity, admitted, delayed, refused, moments, curve);
        }

        private Map<Long, Integer> sortedArrivals() {
            Map<Long, Integer> sorted = new TreeMap<>();
            scenario.arrivals().forEach(group -> sorted.merge(group.atMicros(), group.count(), Integer::sum));
            return sorted;
        }

        private Lane.Moment moment(int count) {
            List<Long> delays = new ArrayList<>();
            int admitted = 0;
            Decision last = backend.peek(policy, KEY);
            for (int i = 0; i < count; i++) {
                last = backend.acquire(policy, KEY, 1, Acquisition.Mode.SPEND);
                if (last.allowed()) {
                    admitted++;
                }
                if (last.delayMicros() > 0) {
                    delays.add(last.delayMicros());
                }
            }
            return new Lane.Moment(
                    time.micros(),
                    admitted,
                    count - admitted,
                    delays,
                    last.remaining(),
                    last.retryAfterMicros(),
                    last.resetAfterMicros());
        }

        /** Draws the curve from now on, always jumping to the moment when it grows next. */
        private void follow(long untilMicros) {
            long smallestStep = Math.max(1, scenario.untilMicros() / POINTS_ACROSS);
            Decision now = backend.peek(policy, KEY);
            curve.add(new Lane.CurvePoint(time.micros(), now.remaining()));
            while (now.resetAfterMicros() > 0) {
                long next = time.micros() + Math.max(now.resetAfterMicros(), smallestStep);
                if (next >= untilMicros) {
                    return;
                }
                time.set(next);
                now = backend.peek(policy, KEY);
                curve.add(new Lane.CurvePoint(next, now.remaining()));
            }
        }
    }
}

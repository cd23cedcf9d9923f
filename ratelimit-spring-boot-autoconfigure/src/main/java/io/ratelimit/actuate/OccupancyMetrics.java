package io.ratelimit.actuate;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.WaitingRoom;
import io.ratelimit.memory.MemoryBackend;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the limiter holds at present: {@code ratelimit.memory.keys}, the partition keys in this node's memory, and
 * {@code ratelimit.waiting}, the requests that wait for their turn in a leaky bucket's queue.
 */
public final class OccupancyMetrics implements MeterBinder {

    private final @Nullable MemoryBackend memory;

    private final WaitingRoom waitingRoom;

    private final LimitRegistry limits;

    /**
     * Creates the binder.
     *
     * @param memory this node's memory; {@code null} if the application counts elsewhere
     * @param waitingRoom where requests wait
     * @param limits for which they wait
     */
    public OccupancyMetrics(@Nullable MemoryBackend memory, WaitingRoom waitingRoom, LimitRegistry limits) {
        this.memory = memory;
        this.waitingRoom = waitingRoom;
        this.limits = limits;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        if (memory != null) {
            Gauge.builder("ratelimit.memory.keys", memory, MemoryBackend::keys)
                    .description("Partition keys in this node's memory")
                    .register(meters);
        }
        Gauge.builder("ratelimit.waiting", this, OccupancyMetrics::waiting)
                .description("Requests that wait for their turn in a leaky bucket's queue")
                .register(meters);
    }

    private double waiting() {
        return limits.specs().stream()
                .map(LimitSpec::bucket)
                .distinct()
                .mapToInt(waitingRoom::waiting)
                .sum();
    }
}

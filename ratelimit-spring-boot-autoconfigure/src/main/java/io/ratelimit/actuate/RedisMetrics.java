package io.ratelimit.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.ratelimit.redis.RedisObserver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures what happens between the limiter and Redis: the timer {@code ratelimit.redis} with the tag {@code outcome}
 * (success, error), the gauge {@code ratelimit.redis.available} (1, or 0 while Redis is left alone) and the counter
 * {@code ratelimit.redis.spared} of refusals that were repeated without asking Redis.
 */
public final class RedisMetrics implements RedisObserver {

    private final Timer answered;

    private final Timer failed;

    private final Counter spared;

    private final AtomicInteger available = new AtomicInteger(1);

    /**
     * Registers the meters.
     *
     * @param meters where
     */
    public RedisMetrics(MeterRegistry meters) {
        this.answered = timer(meters, "success");
        this.failed = timer(meters, "error");
        this.spared = Counter.builder("ratelimit.redis.spared")
                .description("Refusals that were repeated without asking Redis")
                .register(meters);
        Gauge.builder("ratelimit.redis.available", available, AtomicInteger::get)
                .description("Whether Redis is used (1) or left alone because it did not answer (0)")
                .register(meters);
    }

    @Override
    public void answered(Duration took) {
        answered.record(took);
    }

    @Override
    public void failed(Duration took, Throwable cause) {
        failed.record(took);
    }

    @Override
    public void refusedFromCache() {
        spared.increment();
    }

    @Override
    public void availabilityChanged(boolean nowAvailable) {
        available.set(nowAvailable ? 1 : 0);
    }

    private static Timer timer(MeterRegistry meters, String outcome) {
        return Timer.builder("ratelimit.redis")
                .description("Decisions asked of Redis")
                .tag("outcome", outcome)
                .register(meters);
    }
}

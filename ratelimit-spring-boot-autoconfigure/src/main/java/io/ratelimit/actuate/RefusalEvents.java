package io.ratelimit.actuate;

import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes a {@link RateLimitExceededEvent} for each limit that refused, or at most one for each name in an interval. A
 * listener that fails does not hurt the request.
 */
public final class RefusalEvents implements EnforcementListener {

    private static final Log LOG = LogFactory.getLog(RefusalEvents.class);

    /** Plans may be made up for each call; beyond so many names the rest is throttled together. */
    private static final int MAX_NAMES = 1_000;

    private static final String OTHER = "other";

    private static final long NANOS_PER_MICRO = 1_000;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    private final ApplicationEventPublisher publisher;

    private final TimeSource time;

    private final long intervalMicros;

    private final Map<String, Throttle> throttles = new ConcurrentHashMap<>();

    /**
     * Creates the source of events.
     *
     * @param publisher passes them on
     * @param time the clock of the interval
     * @param interval time between two events of one name at least, to the microsecond, from 1 millisecond to 365 days; zero
     *     for an event for each refusal
     * @throws IllegalArgumentException if the interval is out of range
     */
    public RefusalEvents(ApplicationEventPublisher publisher, TimeSource time, Duration interval) {
        if (!interval.isZero() && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException(
                    "interval %s is out of range; use 0s, or a duration from 1ms to 365d".formatted(interval));
        }
        this.publisher = publisher;
        this.time = time;
        this.intervalMicros = interval.toNanos() / NANOS_PER_MICRO;
    }

    /** When the next event of a name may be published, and how many were not since the last. */
    private record Throttle(AtomicLong nextMicros, AtomicLong suppressed) {

        static Throttle open(long now) {
            return new Throttle(new AtomicLong(now), new AtomicLong());
        }

        /** Returns how many refusals had no event since the last one; -1 if this one has none either. */
        long pass(long now, long intervalMicros) {
            long next = nextMicros.get();
            if (now < next || !nextMicros.compareAndSet(next, now + intervalMicros)) {
                suppressed.incrementAndGet();
                return -1;
            }
            return suppressed.getAndSet(0);
        }
    }

    @Override
    public void decided(Enforcement enforcement) {
        List<Charge> charges = enforcement.charges();
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).decision().allowed()) {
                refused(charges.get(i));
            }
        }
    }

    private void refused(Charge charge) {
        long suppressed = intervalMicros == 0 ? 0 : pass(charge.wireName());
        if (suppressed >= 0) {
            publish(charge, suppressed);
        }
    }

    private long pass(String name) {
        long now = time.micros();
        Throttle throttle = throttles.get(name);
        if (throttle == null) {
            String bounded = throttles.size() < MAX_NAMES ? name : OTHER;
            throttle = throttles.computeIfAbsent(bounded, added -> Throttle.open(now));
        }
        return throttle.pass(now, intervalMicros);
    }

    private void publish(Charge charge, long suppressed) {
        try {
            publisher.publishEvent(new RateLimitExceededEvent(
                    charge.wireName(), charge.spec().subject(), charge.key().text(), charge.decision(), suppressed));
        } catch (RuntimeException e) {
            LOG.warn("A listener of RateLimitExceededEvent failed", e);
        }
    }
}

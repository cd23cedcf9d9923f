package io.ratelimit.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;

/** A warning that is written at most every ten seconds, however often its reason occurs. */
final class ThrottledWarning {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Log log;

    private final AtomicLong next = new AtomicLong(System.nanoTime());

    private final AtomicLong suppressed = new AtomicLong();

    ThrottledWarning(Log log) {
        this.log = log;
    }

    /** Says whether it was written. */
    boolean write(Supplier<String> message) {
        long due = next.get();
        long now = System.nanoTime();
        if (now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS)) {
            long others = suppressed.getAndSet(0);
            log.warn(message.get() + (others == 0 ? "" : " (and " + others + " more such events)"));
            return true;
        }
        suppressed.incrementAndGet();
        return false;
    }
}

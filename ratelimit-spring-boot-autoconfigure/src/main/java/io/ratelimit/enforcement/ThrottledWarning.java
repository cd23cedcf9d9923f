package io.ratelimit.enforcement;

import io.ratelimit.expression.InvalidResultException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelEvaluationException;

/** Logs a warning at most once a minute, and then says how many it kept to itself. */
final class ThrottledWarning {

    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Log log;

    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

    private final AtomicLong suppressed = new AtomicLong();

    ThrottledWarning(Class<?> source) {
        this.log = LogFactory.getLog(source);
    }

    /** Describes what an expression threw: a message of SpEL names no values, one of the application may. */
    static String describe(RuntimeException error) {
        String message = error instanceof SpelEvaluationException || error instanceof InvalidResultException
                ? error.getMessage()
                : null;
        return message != null ? message : error.getClass().getSimpleName();
    }

    void log(Supplier<String> message) {
        log(message, null);
    }

    void log(Supplier<String> message, @Nullable Throwable cause) {
        long now = System.nanoTime();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + PERIOD_NANOS)) {
            suppressed.incrementAndGet();
            return;
        }
        long kept = suppressed.getAndSet(0);
        String text = kept == 0 ? message.get() : "%s (%d more like this)".formatted(message.get(), kept);
        if (cause == null) {
            log.warn(text);
        } else {
            log.warn(text, cause);
        }
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.core.Algorithm;
import io.ratelimit.enforcement.LimitText;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One limit of a list. Times are text here, so that an unreadable one is reported with the name of the policy or rule.
 *
 * @param limit Number of permits per window; 0 refuses everything.
 * @param window Length of the window, such as 30s, 1m or PT30S.
 * @param algorithm How the limit counts.
 * @param burst Capacity of the token bucket (default: the limit) or length of the leaky bucket's queue (default: 0).
 * @param delay Number of the leaky bucket's queued requests that are served without waiting.
 * @param nodelay Whether the leaky bucket's whole queue is served without waiting.
 * @param maxDelay Longest wait that the leaky bucket grants, such as 2s.
 */
public record LimitProperties(
        @Nullable Long limit,
        @Nullable String window,
        @DefaultValue("token-bucket") Algorithm algorithm,
        @Nullable Long burst,
        @DefaultValue("0") long delay,
        @DefaultValue("false") boolean nodelay,
        @Nullable String maxDelay) {

    /** The same words as an annotation would give them, to be read by the same code. */
    LimitText text() {
        return new LimitText(
                limit == null ? null : limit.toString(),
                window,
                algorithm.name(),
                burst == null ? null : burst.toString(),
                Long.toString(delay),
                Boolean.toString(nodelay),
                maxDelay);
    }
}

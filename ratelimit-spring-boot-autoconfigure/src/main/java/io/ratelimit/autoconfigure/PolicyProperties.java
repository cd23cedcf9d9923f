package io.ratelimit.autoconfigure;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.FailurePolicy;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A named policy: one limit that stands directly in it, or a list of them.
 *
 * @param limit Number of permits per window; 0 refuses everything.
 * @param window Length of the window, such as 30s, 1m or PT30S.
 * @param algorithm How the limit counts; default: token-bucket.
 * @param burst Capacity of the token bucket (default: the limit) or length of the leaky bucket's queue (default: 0).
 * @param delay Number of the leaky bucket's queued requests that are served without waiting (default: 0).
 * @param nodelay Whether the leaky bucket's whole queue is served without waiting (default: false).
 * @param maxDelay Longest wait that the leaky bucket grants, such as 2s.
 * @param limits Limits that decide together, instead of a single one.
 * @param countWhen Whether a request counts, in SpEL over result, error and status, evaluated after it.
 * @param onFailure What happens to a decision while Redis cannot be reached; default: ratelimit.redis.on-failure.
 */
public record PolicyProperties(
        @Nullable BigDecimal limit,
        @Nullable String window,
        @Nullable Algorithm algorithm,
        @Nullable BigDecimal burst,
        @Nullable BigDecimal delay,
        @Nullable Boolean nodelay,
        @Nullable String maxDelay,
        @DefaultValue List<LimitProperties> limits,
        @Nullable String countWhen,
        @Nullable FailurePolicy onFailure) {

    /** The limit that stands directly in the policy, empty if none does. */
    LimitProperties inlineLimit() {
        return new LimitProperties(limit, window, algorithm, burst, delay, nodelay, maxDelay);
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.core.Algorithm;
import io.ratelimit.enforcement.Phase;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A limit for the HTTP requests of some paths: one limit that stands directly in it, or a policy.
 *
 * @param name Name of the rule: of its counts, in headers and in metrics.
 * @param paths Path patterns within the application, such as /api/**.
 * @param exclude Path patterns that the rule leaves alone.
 * @param methods HTTP methods that are limited; GET includes HEAD; default: all.
 * @param policy Name of a policy, or a template that chooses one for each request.
 * @param limit Number of permits per window; 0 refuses everything.
 * @param window Length of the window, such as 30s, 1m or PT30S.
 * @param algorithm How the limit counts; default: token-bucket.
 * @param burst Capacity of the token bucket (default: the limit) or length of the leaky bucket's queue (default: 0).
 * @param delay Number of the leaky bucket's queued requests that are served without waiting (default: 0).
 * @param nodelay Whether the leaky bucket's whole queue is served without waiting (default: false).
 * @param maxDelay Longest wait that the leaky bucket grants, such as 2s.
 * @param key Partition key, in SpEL; default: ratelimit.default-key.
 * @param cost Number of permits that one request takes, in SpEL.
 * @param condition Whether a request is limited at all, in SpEL; default: always.
 * @param countWhen Whether a request counts, in SpEL over status and error, evaluated after it; default: always.
 * @param shadow Whether the rule only decides and is measured, and never refuses.
 * @param phase Whether the rule decides before or after Spring Security; default: after it if the rule uses principal.
 */
public record RuleProperties(
        @Nullable String name,
        @DefaultValue List<String> paths,
        @DefaultValue List<String> exclude,
        @DefaultValue List<String> methods,
        @Nullable String policy,
        @Nullable BigDecimal limit,
        @Nullable String window,
        @Nullable Algorithm algorithm,
        @Nullable BigDecimal burst,
        @Nullable BigDecimal delay,
        @Nullable Boolean nodelay,
        @Nullable String maxDelay,
        @Nullable String key,
        @DefaultValue("1") String cost,
        @Nullable String condition,
        @Nullable String countWhen,
        @DefaultValue("false") boolean shadow,
        @Nullable Phase phase) {

    /** The limit that stands directly in the rule, empty if none does. */
    LimitProperties inlineLimit() {
        return new LimitProperties(limit, window, algorithm, burst, delay, nodelay, maxDelay);
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.core.Algorithm;
import io.ratelimit.enforcement.LimitText;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a list. Times are text here and numbers may have fractions, so that what cannot be read is reported with
 * the name of the policy or rule, and nothing is cut silently.
 *
 * @param limit Number of permits per window; 0 refuses everything.
 * @param window Length of the window, such as 30s, 1m or PT30S.
 * @param algorithm How the limit counts; default: token-bucket.
 * @param burst Capacity of the token bucket (default: the limit) or length of the leaky bucket's queue (default: 0).
 * @param delay Number of the leaky bucket's queued requests that are served without waiting (default: 0).
 * @param nodelay Whether the leaky bucket's whole queue is served without waiting (default: false).
 * @param maxDelay Longest wait that the leaky bucket grants, such as 2s.
 */
public record LimitProperties(
        @Nullable BigDecimal limit,
        @Nullable String window,
        @Nullable Algorithm algorithm,
        @Nullable BigDecimal burst,
        @Nullable BigDecimal delay,
        @Nullable Boolean nodelay,
        @Nullable String maxDelay) {

    /** The same words as an annotation would give them, to be read by the same code. */
    LimitText text() {
        return new LimitText(
                text(limit),
                window,
                algorithm == null ? null : algorithm.name(),
                text(burst),
                text(delay),
                nodelay == null ? null : nodelay.toString(),
                maxDelay);
    }

    /** Whether not a single word is given. */
    boolean isAbsent() {
        return Stream.of(limit, window, algorithm, burst, delay, nodelay, maxDelay)
                .allMatch(Objects::isNull);
    }

    private static @Nullable String text(@Nullable BigDecimal number) {
        return number == null ? null : number.stripTrailingZeros().toPlainString();
    }
}

package io.ratelimit.enforcement;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * One limit in the words of a user; empty or {@code null} words take their default.
 *
 * @param limit permits per window
 * @param window length of the window, "30s" or "PT30S"
 * @param algorithm name of an {@link Algorithm} in any case, with dashes or underscores; default token bucket
 * @param burst capacity of a token bucket or queue of a leaky one
 * @param delay for the leaky bucket: how many queued requests are served without waiting
 * @param nodelay for the leaky bucket: "true" if all are
 * @param maxDelay for the leaky bucket: the longest wait, "2s" or "PT2S"
 */
public record LimitText(
        @Nullable String limit,
        @Nullable String window,
        @Nullable String algorithm,
        @Nullable String burst,
        @Nullable String delay,
        @Nullable String nodelay,
        @Nullable String maxDelay) {

    private static final Pattern SPELLED_OUT =
            Pattern.compile("(\\d+)\\s*((?:s|m|h|d)|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?)");

    /**
     * Creates a limit that leaves the attributes of the buckets at their defaults.
     *
     * @param limit permits per window
     * @param window length of the window
     * @param algorithm name of the algorithm
     * @return the limit's words
     */
    public static LimitText of(@Nullable String limit, @Nullable String window, @Nullable String algorithm) {
        return new LimitText(limit, window, algorithm, null, null, null, null);
    }

    /** {@return whether nothing is given that makes a limit} */
    public boolean isEmpty() {
        return isBlank(limit) && isBlank(window) && isBlank(burst) && isBlank(maxDelay);
    }

    /**
     * Reads the words.
     *
     * @param subject named in messages, such as "policy 'login'"
     * @return the limit
     * @throws RateLimitConfigurationException if a word is missing or cannot be read, or a value is out of range
     */
    public Limit parse(String subject) {
        long permits = number(subject, "limit", required(subject, "limit", limit, "write limit = 100"));
        String example = subject.startsWith(LimitDeclaration.METHOD) ? "write window = \"1m\"" : "write window = 1m";
        Duration length = duration(subject, "window", required(subject, "window", window, example), "use 15m or PT15M");
        try {
            Limit parsed = Limit.of(algorithm(subject), permits, length);
            return withBucket(subject, parsed);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw outOfRange(subject, e);
        }
    }

    private Limit withBucket(String subject, Limit parsed) {
        Limit bucket = parsed;
        if (!isBlank(burst)) {
            bucket = bucket.withBurst(number(subject, "burst", burst));
        }
        if (!isBlank(delay) && !delay.trim().equals("0")) {
            bucket = bucket.withDelay(number(subject, "delay", delay));
        }
        if (isTrue(subject)) {
            bucket = bucket.withNodelay();
        }
        return isBlank(maxDelay)
                ? bucket
                : bucket.withMaxDelay(duration(subject, "max-delay", maxDelay, "use 2s or PT2S"));
    }

    private boolean isTrue(String subject) {
        if (isBlank(nodelay) || nodelay.trim().equalsIgnoreCase("false")) {
            return false;
        }
        if (nodelay.trim().equalsIgnoreCase("true")) {
            return true;
        }
        throw new RateLimitConfigurationException(
                subject, "nodelay '%s' is no boolean".formatted(nodelay), "use true or false");
    }

    private Algorithm algorithm(String subject) {
        if (isBlank(algorithm)) {
            return Algorithm.TOKEN_BUCKET;
        }
        String name = algorithm.trim().toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(Algorithm.values())
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RateLimitConfigurationException(
                        subject, "algorithm '%s' is unknown".formatted(algorithm), "use one of " + algorithms()));
    }

    private static String algorithms() {
        return String.join(
                ", ",
                Arrays.stream(Algorithm.values())
                        .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
    }

    private static long number(String subject, String attribute, String text) {
        try {
            return Long.parseLong(text.trim().replace("_", ""));
        } catch (NumberFormatException e) {
            throw new RateLimitConfigurationException(
                    subject,
                    "%s '%s' is no whole number".formatted(attribute, text),
                    "use a number from 0 to %d".formatted(Limit.MAX_LIMIT));
        }
    }

    private static Duration duration(String subject, String attribute, String text, String remedy) {
        if (text.trim().matches("[+-]?\\d+")) {
            throw new RateLimitConfigurationException(
                    subject,
                    "%s '%s' has no unit".formatted(attribute, text),
                    "write %1$ss for seconds or %1$sms for milliseconds".formatted(text.trim()));
        }
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(text.trim(), ChronoUnit.MILLIS);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new RateLimitConfigurationException(
                    subject,
                    "%s '%s' is not a duration".formatted(attribute, text),
                    unit(text).map(meant -> "write " + meant).orElse(remedy));
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new RateLimitConfigurationException(
                    subject, "%s '%s' is not positive".formatted(attribute, text), remedy);
        }
        return duration;
    }

    /** Guesses the duration that a spelled-out unit means: "1m" of "1 min". */
    private static Optional<String> unit(String text) {
        Matcher matcher = SPELLED_OUT.matcher(text.trim().toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? Optional.of(matcher.group(1) + matcher.group(2).charAt(0))
                : Optional.empty();
    }

    private static String required(String subject, String attribute, @Nullable String text, String remedy) {
        if (isBlank(text)) {
            throw new RateLimitConfigurationException(subject, attribute + " is missing", remedy);
        }
        return text;
    }

    private static RateLimitConfigurationException outOfRange(String subject, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        int split = message.indexOf("; ");
        return split < 0
                ? new RateLimitConfigurationException(subject, message, "correct the value")
                : new RateLimitConfigurationException(
                        subject, message.substring(0, split), message.substring(split + 2));
    }

    @org.jspecify.annotations.NullUnmarked
    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}

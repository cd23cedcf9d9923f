package io.ratelimit.aop;

import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What annotations say, their placeholders replaced. Each text is resolved once and means the same from then on, so that an
 * environment that was refused does not come into force piece by piece.
 */
final class ResolvedTexts {

    private final UnaryOperator<@Nullable String> placeholders;

    private final Map<String, String> resolved = new ConcurrentHashMap<>();

    ResolvedTexts(UnaryOperator<@Nullable String> placeholders) {
        this.placeholders = placeholders;
    }

    /**
     * Replaces the placeholders of a text.
     *
     * @param subject whose text it is, for messages
     * @param attribute which of its texts, for messages
     * @param text as it was written
     * @return the text without placeholders
     * @throws RateLimitConfigurationException if one of them has no value
     */
    String resolve(String subject, String attribute, String text) {
        if (!text.contains("${")) {
            return text;
        }
        String known = resolved.get(text);
        if (known == null) {
            known = read(subject, attribute, text);
            resolved.put(text, known);
        }
        return known;
    }

    private String read(String subject, String attribute, String text) {
        try {
            String value = placeholders.apply(text);
            if (value != null && !value.contains("${")) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            throw unresolved(subject, attribute, text);
        }
        throw unresolved(subject, attribute, text);
    }

    private static RateLimitConfigurationException unresolved(String subject, String attribute, String text) {
        return new RateLimitConfigurationException(
                subject,
                "%s '%s' has a placeholder without a value".formatted(attribute, text),
                "define the property, or give a default as in ${name:5}");
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.RateLimitConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.StringUtils;

/** Explains a limit that cannot work as it is written: what, where, and what to write instead. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RateLimitFailureAnalyzer extends AbstractFailureAnalyzer<RateLimitConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RateLimitConfigurationException cause) {
        String description = "%s: %s.".formatted(cause.subject(), cause.problem());
        return new FailureAnalysis(capitalized(description), capitalized(cause.remedy()) + ".", cause);
    }

    private static String capitalized(String text) {
        return text.startsWith("ratelimit") ? text : StringUtils.capitalize(text);
    }
}

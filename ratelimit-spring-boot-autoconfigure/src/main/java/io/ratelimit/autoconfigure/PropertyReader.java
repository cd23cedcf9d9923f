package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reads {@code ratelimit.*} again while the application runs, as strictly as at start-up. */
final class PropertyReader {

    private final Environment environment;

    PropertyReader(Environment environment) {
        this.environment = environment;
    }

    /**
     * Reads every property.
     *
     * @return what the environment says now
     * @throws BindException if a value cannot be read or a key does not exist; see {@link #explain}
     */
    RateLimitProperties read() {
        BindHandler strict = new StrictBinding(
                new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
        return Binder.get(environment).bindOrCreate("ratelimit", Bindable.of(RateLimitProperties.class), strict);
    }

    /** Says in one line what stops a configuration, in the words of the start-up. */
    String explain(RuntimeException failure) {
        if (failure instanceof RateLimitConfigurationException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure.getCause() instanceof RateLimitConfigurationException cause) {
            return String.valueOf(cause.getMessage());
        }
        FailureAnalysis analysis = new PropertyFailureAnalyzer(environment).analyze(failure);
        return analysis == null
                ? String.valueOf(failure.getMessage())
                : (analysis.getDescription() + " " + analysis.getAction()).replace(System.lineSeparator(), " ");
    }

    /** Lists the properties that differ but are only read at start-up. */
    static List<String> needRestart(RateLimitProperties running, RateLimitProperties now) {
        Map<String, Object> before = atStartOnly(running);
        Map<String, Object> after = atStartOnly(now);
        return before.keySet().stream()
                .filter(name -> !before.get(name).equals(after.get(name)))
                .toList();
    }

    private static Map<String, Object> atStartOnly(RateLimitProperties properties) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("ratelimit.enabled", properties.enabled());
        values.put("ratelimit.backend", properties.backend());
        values.put("ratelimit.missing-key", properties.missingKey());
        values.put("ratelimit.max-waiting", properties.maxWaiting());
        values.put("ratelimit.web", properties.web());
        values.put("ratelimit.aspect", properties.aspect());
        values.put("ratelimit.client-ip", properties.clientIp());
        values.put("ratelimit.memory", properties.memory());
        values.put("ratelimit.redis", properties.redis());
        values.put("ratelimit.metrics", properties.metrics());
        values.put("ratelimit.endpoint", properties.endpoint());
        values.put("ratelimit.events", properties.events());
        return values;
    }
}

package io.ratelimit.aop;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.aop.Annotations.Found;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.LimitText;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import io.ratelimit.expression.CallParameters;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes the plan of a method from its annotations. */
final class MethodPlanner {

    private static final long ABSENT = -1;

    private final LimitSpecFactory factory;

    private final UnaryOperator<@Nullable String> placeholders;

    private final BucketNames names;

    private final CallStyle threadStyle;

    private final CallStyle stageStyle;

    private final CallStyle.Tools tools;

    MethodPlanner(
            LimitSpecFactory factory,
            UnaryOperator<@Nullable String> placeholders,
            BucketNames names,
            CallStyle.Tools tools) {
        this.factory = factory;
        this.placeholders = placeholders;
        this.names = names;
        this.tools = tools;
        this.threadStyle = new ThreadStyle(tools);
        this.stageStyle = new StageStyle(tools);
    }

    MethodPlan plan(Found found, Class<?> type) {
        Method method = found.method();
        String methodName = names.of(type, method);
        String subject = "method " + methodName;
        String bucket = found.onClass() ? names.of(type) : methodName;
        CallParameters parameters =
                found.source() instanceof Method source ? CallParameters.of(method, source) : CallParameters.of(method);
        List<LimitSpec> specs = new ArrayList<>();
        Map<LimitSpec, Fallback> fallbacks = new IdentityHashMap<>();
        for (RateLimited annotation : found.annotations()) {
            String ownName = specs.isEmpty() ? bucket : bucket + "#" + (specs.size() + 1);
            LimitSpec spec =
                    factory.create(declaration(subject, ownName, annotation).parameters(parameters));
            specs.add(spec);
            String fallback = resolve(subject, "fallback", annotation.fallback());
            if (!fallback.isEmpty()) {
                fallbacks.put(spec, Fallback.find(subject, fallback, type, method));
            }
        }
        return new MethodPlan(method, List.copyOf(specs), fallbacks, parameters, style(method.getReturnType()));
    }

    private LimitDeclaration declaration(String subject, String ownName, RateLimited annotation) {
        LimitDeclaration declaration = LimitDeclaration.ofCode(subject, ownName);
        return declaration
                .name(resolve(subject, "name", annotation.name()))
                .policy(resolve(subject, "policy", annotation.policy()))
                .limit(limit(subject, annotation))
                .key(resolve(subject, "key", annotation.key()))
                .cost(resolve(subject, "cost", annotation.cost()))
                .condition(resolve(subject, "condition", annotation.condition()))
                .countWhen(resolve(subject, "countWhen", annotation.countWhen()))
                .shadow(annotation.shadow());
    }

    private LimitText limit(String subject, RateLimited annotation) {
        String text = resolve(subject, "limitString", annotation.limitString());
        if (annotation.limit() != ABSENT && !text.isEmpty()) {
            throw new RateLimitConfigurationException(
                    subject,
                    "limit %d and limitString '%s' are both given".formatted(annotation.limit(), text),
                    "remove one of them");
        }
        return new LimitText(
                text.isEmpty() ? number(annotation.limit()) : text,
                resolve(subject, "window", annotation.window()),
                annotation.algorithm().name(),
                number(annotation.burst()),
                String.valueOf(annotation.delay()),
                String.valueOf(annotation.nodelay()),
                resolve(subject, "maxDelay", annotation.maxDelay()));
    }

    private static @Nullable String number(long value) {
        return value == ABSENT ? null : String.valueOf(value);
    }

    private String resolve(String subject, String attribute, String text) {
        if (!text.contains("${")) {
            return text;
        }
        try {
            String resolved = placeholders.apply(text);
            if (resolved != null && !resolved.contains("${")) {
                return resolved;
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

    private CallStyle style(Class<?> returnType) {
        if (StageStyle.fits(returnType)) {
            return stageStyle;
        }
        return ReactorStyle.fits(returnType) ? new ReactorStyle(tools) : threadStyle;
    }
}

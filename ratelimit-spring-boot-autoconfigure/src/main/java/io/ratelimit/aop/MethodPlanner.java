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
import org.jspecify.annotations.Nullable;

/** Makes the plan of a method from its annotations. */
final class MethodPlanner {

    private static final long ABSENT = -1;

    private final LimitSpecFactory factory;

    private final ResolvedTexts texts;

    private final BucketNames names;

    private final CallStyle threadStyle;

    private final CallStyle stageStyle;

    private final CallStyle.Tools tools;

    MethodPlanner(LimitSpecFactory factory, ResolvedTexts texts, BucketNames names, CallStyle.Tools tools) {
        this.factory = factory;
        this.texts = texts;
        this.names = names;
        this.tools = tools;
        this.threadStyle = new ThreadStyle(tools);
        this.stageStyle = new StageStyle(tools);
    }

    MethodPlan plan(Found found, Class<?> type) {
        Method method = found.method();
        String methodName = names.of(type, method);
        String subject = LimitDeclaration.METHOD + methodName;
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
            String fallback = texts.resolve(subject, "fallback", annotation.fallback());
            if (!fallback.isEmpty()) {
                fallbacks.put(spec, Fallback.find(subject, fallback, type, method));
            }
        }
        return new MethodPlan(method, List.copyOf(specs), fallbacks, parameters, style(method.getReturnType()));
    }

    private LimitDeclaration declaration(String subject, String ownName, RateLimited annotation) {
        LimitDeclaration declaration = LimitDeclaration.ofCode(subject, ownName);
        return declaration
                .name(texts.resolve(subject, "name", annotation.name()))
                .policy(texts.resolve(subject, "policy", annotation.policy()))
                .limit(limit(subject, annotation))
                .key(texts.resolve(subject, "key", annotation.key()))
                .cost(texts.resolve(subject, "cost", annotation.cost()))
                .condition(texts.resolve(subject, "condition", annotation.condition()))
                .countWhen(texts.resolve(subject, "countWhen", annotation.countWhen()))
                .shadow(annotation.shadow());
    }

    private LimitText limit(String subject, RateLimited annotation) {
        String text = texts.resolve(subject, "limitString", annotation.limitString());
        if (annotation.limit() != ABSENT && !text.isEmpty()) {
            throw new RateLimitConfigurationException(
                    subject,
                    "limit %d and limitString '%s' are both given".formatted(annotation.limit(), text),
                    "remove one of them");
        }
        return new LimitText(
                text.isEmpty() ? number(annotation.limit()) : text,
                texts.resolve(subject, "window", annotation.window()),
                annotation.algorithm().name(),
                number(annotation.burst()),
                String.valueOf(annotation.delay()),
                String.valueOf(annotation.nodelay()),
                texts.resolve(subject, "maxDelay", annotation.maxDelay()));
    }

    private static @Nullable String number(long value) {
        return value == ABSENT ? null : String.valueOf(value);
    }

    private CallStyle style(Class<?> returnType) {
        if (StageStyle.fits(returnType)) {
            return stageStyle;
        }
        return ReactorStyle.fits(returnType) ? new ReactorStyle(tools) : threadStyle;
    }
}

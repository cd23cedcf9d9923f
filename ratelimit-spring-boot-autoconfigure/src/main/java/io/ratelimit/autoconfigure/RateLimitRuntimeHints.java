package io.ratelimit.autoconfigure;

import io.ratelimit.actuate.LimitReport;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.expression.RequestRoot;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Tells a native image what is found by name only: the Redis scripts, what expressions call, and the annotation. */
final class RateLimitRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/ratelimit/redis/*.lua");
        // Read where master and replicas are listed: see LettuceConfiguration.
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        type -> type.withField("configuration"));
        hints.reflection()
                .registerType(RequestRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(
                        TypeReference.of("io.ratelimit.expression.ExpressionRoot"),
                        MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(RateLimited.class, MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(RateLimited.List.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        // The other answers of the endpoint stand in the signatures of its operations.
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), LimitReport.Problem.class);
    }
}

package io.ratelimit.aop;

import io.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Tells a native image which methods answer instead of refused ones: {@link Fallback} finds them by name. */
final class FallbackHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        List<Method> fallbacks = fallbacks(type);
        return fallbacks.isEmpty()
                ? null
                : (generation, code) -> fallbacks.forEach(method ->
                        generation.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }

    private static List<Method> fallbacks(Class<?> type) {
        Method[] methods = ReflectionUtils.getUniqueDeclaredMethods(type);
        Set<String> names = Stream.of(methods)
                .filter(LimitedMethods::mayBeLimited)
                .flatMap(method -> Annotations.find(method, type).annotations().stream())
                .map(RateLimited::fallback)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        return Stream.of(methods)
                .filter(method -> names.contains(method.getName()))
                .toList();
    }
}

package io.ratelimit.aop;

import io.ratelimit.annotation.RateLimited;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalInt;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;

/**
 * Finds what limits a method: the annotations of the implementation, else of the nearest method it overrides or
 * implements, else of the class. Annotations of one place all apply, those of places further away do not.
 */
final class Annotations {

    private Annotations() {}

    /**
     * What was found.
     *
     * @param annotations with aliases resolved; empty for a method that is not limited
     * @param source the method or class that carries them
     * @param method the implementation
     */
    record Found(List<RateLimited> annotations, AnnotatedElement source, Method method) {

        boolean onClass() {
            return source instanceof Class<?>;
        }
    }

    /** Tells cheaply whether a class is worth searching. */
    static boolean isCandidate(Class<?> type) {
        String name = type.getName();
        boolean framework = name.startsWith("org.springframework.") && !name.startsWith("org.springframework.samples.");
        return !framework && AnnotationUtils.isCandidateClass(type, List.of(RateLimited.class, RateLimited.List.class));
    }

    static Found find(Method method, Class<?> targetClass) {
        Class<?> owner = owner(method, targetClass);
        if (!isCandidate(owner) && !isCandidate(method.getDeclaringClass())) {
            return new Found(List.of(), method, method);
        }
        Method specific = AopUtils.getMostSpecificMethod(method, owner);
        Found onMethod = nearest(specific, specific);
        if (!onMethod.annotations().isEmpty() || !isCoveredByClass(specific)) {
            return onMethod;
        }
        return nearest(owner, specific);
    }

    /**
     * Returns the class that a limited method belongs to: that of the bean, or the interface where only a proxy
     * implements it, as for repositories and HTTP clients.
     */
    static Class<?> owner(Method method, Class<?> targetClass) {
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        Class<?> declaring = method.getDeclaringClass();
        boolean implemented = declaring.isAssignableFrom(userClass) && !Proxy.isProxyClass(userClass);
        return implemented ? userClass : declaring;
    }

    private static boolean isCoveredByClass(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class
                && !ClassUtils.isJavaLanguageInterface(method.getDeclaringClass())
                && !isObjectMethod(method);
    }

    private static boolean isObjectMethod(Method method) {
        return switch (method.getName()) {
            case "toString", "hashCode" -> method.getParameterCount() == 0;
            case "equals" -> method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
            default -> false;
        };
    }

    private static Found nearest(AnnotatedElement element, Method method) {
        MergedAnnotations merged = MergedAnnotations.from(
                element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables());
        List<MergedAnnotation<RateLimited>> all =
                merged.stream(RateLimited.class).toList();
        OptionalInt nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min();
        if (nearest.isEmpty()) {
            return new Found(List.of(), element, method);
        }
        List<MergedAnnotation<RateLimited>> chosen = all.stream()
                .filter(annotation -> annotation.getAggregateIndex() == nearest.getAsInt())
                .toList();
        AnnotatedElement source = chosen.get(0).getSource() instanceof AnnotatedElement carrier ? carrier : element;
        return new Found(chosen.stream().map(MergedAnnotation::synthesize).toList(), source, method);
    }
}

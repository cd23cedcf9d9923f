package io.ratelimit.aop;

import io.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Selects the methods that carry the annotation and can be intercepted. A proxy is a subclass (or implements the same
 * interfaces): private, static and final methods stay what they are, so an annotation on them is only a warning.
 */
final class LimitedMethods extends StaticMethodMatcherPointcut {

    private static final Log LOG = LogFactory.getLog(LimitedMethods.class);

    private final Map<Class<?>, Boolean> limitedClasses = new ConcurrentHashMap<>();

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return mayBeLimited(method)
                && !Annotations.find(method, targetClass).annotations().isEmpty();
    }

    static boolean mayBeLimited(Method method) {
        int modifiers = method.getModifiers();
        return !Modifier.isPrivate(modifiers)
                && !Modifier.isStatic(modifiers)
                && !Modifier.isFinal(modifiers)
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
    }

    /**
     * Tells whether a class has limited methods; warns once about those that cannot be. Of a JDK proxy the interfaces
     * are asked, since nobody annotates the proxy itself.
     */
    boolean isLimited(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return isAnyLimited(type.getInterfaces());
        }
        if (!Annotations.isCandidate(type)) {
            return false;
        }
        Class<?> userClass = ClassUtils.getUserClass(type);
        Boolean known = limitedClasses.get(userClass);
        if (known == null) {
            known = search(userClass);
            limitedClasses.put(userClass, known);
        }
        return known;
    }

    boolean isAnyLimited(Class<?>[] interfaces) {
        return Arrays.stream(interfaces).anyMatch(this::isLimited);
    }

    private boolean search(Class<?> type) {
        boolean limited = false;
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (mayBeLimited(method)) {
                limited = limited || matches(method, type);
            } else if (!method.isSynthetic() && AnnotatedElementUtils.isAnnotated(method, RateLimited.class)) {
                warn(type, method);
            }
        }
        return limited;
    }

    private static void warn(Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        String kind = Modifier.isPrivate(modifiers) ? "private" : Modifier.isStatic(modifiers) ? "static" : "final";
        LOG.warn("method %s.%s: @RateLimited has no effect, because the method is %s; make it overridable"
                .formatted(type.getSimpleName(), method.getName(), kind));
    }
}

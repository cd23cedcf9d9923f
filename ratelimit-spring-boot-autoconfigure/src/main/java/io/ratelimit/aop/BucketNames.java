package io.ratelimit.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names the buckets of annotations that have no name: {@code Controller.method}, overloads by their parameter types,
 * classes of one simple name by their full names. The names do not depend on the order of creation, so that all nodes
 * of a cluster agree on them.
 */
final class BucketNames {

    private final Set<String> ambiguousClasses;

    /**
     * Creates the names.
     *
     * @param ambiguousClasses simple names that several classes of the application have
     */
    BucketNames(Set<String> ambiguousClasses) {
        this.ambiguousClasses = Set.copyOf(ambiguousClasses);
    }

    String of(Class<?> type) {
        String simple = type.getSimpleName();
        return simple.isEmpty() || ambiguousClasses.contains(simple) ? type.getName() : simple;
    }

    String of(Class<?> type, Method method) {
        String name = of(type) + "." + method.getName();
        return isOverloaded(type, method) ? name + parameters(method) : name;
    }

    private static boolean isOverloaded(Class<?> type, Method method) {
        for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
            for (Method other : current.getDeclaredMethods()) {
                if (!other.isSynthetic()
                        && other.getName().equals(method.getName())
                        && !Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String parameters(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(",", "(", ")"));
    }
}

package io.ratelimit.expression;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;

/**
 * The names under which expressions find the arguments of a method: {@code #userId} where the class file has parameter
 * names, and always {@code #p0} or {@code #a0}.
 */
public final class CallParameters {

    private static final CallParameters NONE = new CallParameters(Map.of(), Set.of());

    private static final Set<String> SECRET_ANNOTATIONS = Set.of("RequestHeader", "CookieValue");

    private static final Set<String> SECRET_TYPES = Set.of(
            "HttpServletRequest",
            "ServletRequest",
            "ServerHttpRequest",
            "HttpHeaders",
            "HttpEntity",
            "RequestEntity",
            "WebRequest",
            "NativeWebRequest",
            "Cookie");

    private final Map<String, Integer> positions;

    private final Set<String> secrets;

    private CallParameters(Map<String, Integer> positions, Set<String> secrets) {
        this.positions = positions;
        this.secrets = secrets;
    }

    /**
     * Returns the parameters of an expression that belongs to no method.
     *
     * @return no parameters
     */
    public static CallParameters none() {
        return NONE;
    }

    /**
     * Reads the parameters of a method.
     *
     * @param methods the method of the implementation, and those it overrides where their names are wanted too; the
     *     first to use a name wins
     * @return their parameters
     */
    public static CallParameters of(Method... methods) {
        Map<String, Integer> positions = new HashMap<>();
        Set<String> secrets = new HashSet<>();
        for (Method method : methods) {
            @Nullable String @Nullable [] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
            Parameter[] parameters = method.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                String name = names == null ? null : names[i];
                List<String> aliases = name == null ? List.of("p" + i, "a" + i) : List.of(name, "p" + i, "a" + i);
                for (String alias : aliases) {
                    positions.putIfAbsent(alias, i);
                }
                if (mayCarryCredentials(parameters[i])) {
                    secrets.addAll(aliases);
                }
            }
        }
        return new CallParameters(positions, secrets);
    }

    private static boolean mayCarryCredentials(Parameter parameter) {
        for (Annotation annotation : parameter.getAnnotations()) {
            if (SECRET_ANNOTATIONS.contains(annotation.annotationType().getSimpleName())) {
                return true;
            }
        }
        return SECRET_TYPES.contains(parameter.getType().getSimpleName());
    }

    /** Returns the position of an argument, or -1. */
    int position(String name) {
        Integer position = positions.get(name);
        return position == null ? -1 : position;
    }

    boolean has(String name) {
        return positions.containsKey(name);
    }

    /** Tells whether an argument comes from a header, a cookie or the whole request. */
    boolean isSecret(String name) {
        return secrets.contains(name);
    }

    /** Lists the names for messages, without positions unless there is nothing else. */
    String describe() {
        if (positions.isEmpty()) {
            return "there are no arguments here, only ip, principal, header('X'), path, method and request";
        }
        var named = positions.keySet().stream()
                .filter(name -> !name.matches("[ap]\\d+"))
                .sorted()
                .toList();
        var shown = named.isEmpty() ? positions.keySet().stream().sorted().toList() : named;
        return "use " + String.join(", ", shown.stream().map(name -> "#" + name).toList());
    }
}

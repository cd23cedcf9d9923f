package io.ratelimit.web;

import io.ratelimit.enforcement.LimitSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which requests a limit is for.
 *
 * @param spec the limit
 * @param paths patterns of {@code PathPattern}; a request needs to match one of them
 * @param exclude patterns of requests that the limit is not for all the same
 * @param methods HTTP methods; empty for all. {@code GET} means {@code HEAD} too
 */
public record PathRule(LimitSpec spec, List<String> paths, List<String> exclude, Set<String> methods) {

    /**
     * Copies, and writes methods in upper case.
     *
     * @throws IllegalArgumentException if there is no path
     */
    public PathRule {
        paths = List.copyOf(paths);
        exclude = List.copyOf(exclude);
        methods = methods.stream()
                .map(method -> method.trim().toUpperCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("%s has no paths; give it at least one, such as /**".formatted(spec));
        }
    }
}

package io.ratelimit.sample.playground;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Policy;
import io.ratelimit.enforcement.PolicyResolver;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Policies that stand in no file: each visitor's own. The name says everything, so nothing has to be remembered. */
@Component("visitorPolicies")
class VisitorPolicies implements PolicyResolver {

    private static final String PREFIX = "visitor:";

    /** Names the policy for a request, as {@link LiveController} asks for it. */
    public String choose(Algorithm algorithm, Settings settings) {
        return Stream.of(
                        algorithm,
                        settings.limit(),
                        settings.windowMillis(),
                        settings.capacity(),
                        settings.queue(),
                        settings.delay(),
                        settings.nodelay())
                .map(part -> part == null ? "" : part.toString())
                .collect(Collectors.joining(":", PREFIX, ""));
    }

    @Override
    public Optional<Policy> resolve(String name) {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String[] parts = name.substring(PREFIX.length()).split(":", -1);
        Settings settings = new Settings(
                Integer.parseInt(parts[1]),
                Long.parseLong(parts[2]),
                number(parts[3]),
                number(parts[4]),
                number(parts[5]),
                Boolean.valueOf(parts[6]));
        return Optional.of(Policy.of(name, settings.limitFor(Algorithm.valueOf(parts[0]))));
    }

    private static @Nullable Integer number(String text) {
        return text.isEmpty() ? null : Integer.valueOf(text);
    }
}

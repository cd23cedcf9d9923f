package io.ratelimit.autoconfigure;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.enforcement.PolicyDefinition;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reads {@code ratelimit.policies}. */
final class ConfiguredPolicies {

    private ConfiguredPolicies() {}

    /**
     * Reads every policy.
     *
     * @param policies the properties by name
     * @return the definitions by name
     * @throws RateLimitConfigurationException if one of them cannot work
     */
    static Map<String, PolicyDefinition> read(Map<String, PolicyProperties> policies) {
        Map<String, PolicyDefinition> definitions = new LinkedHashMap<>();
        policies.forEach((name, properties) -> definitions.put(name, read(name, properties)));
        return definitions;
    }

    private static PolicyDefinition read(String name, PolicyProperties properties) {
        Policy policy = new Policy(name, limits("policy '%s'".formatted(name), properties), properties.onFailure());
        return new PolicyDefinition(policy, properties.countWhen());
    }

    private static List<Limit> limits(String subject, PolicyProperties properties) {
        LimitProperties inline = properties.inlineLimit();
        List<LimitProperties> list = properties.limits();
        if (list.isEmpty()) {
            return List.of(inline.text().parse(subject));
        }
        if (!inline.isAbsent()) {
            throw new RateLimitConfigurationException(
                    subject, "a limit and a list of limits are both given", "move the limit into the list");
        }
        return IntStream.range(0, list.size())
                .mapToObj(index -> list.get(index).text().parse("%s, limits[%d]".formatted(subject, index)))
                .toList();
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;

/**
 * Lists that stand in several sources, such as {@code application.yml} and a profile. Spring Boot takes a list from the
 * highest source that defines it and nothing of it from those below, so what stands there is replaced and no mistake.
 */
final class ReplacedLists {

    private static final ConfigurationPropertyName RULES = ConfigurationPropertyName.of("ratelimit.rules");

    private final Iterable<ConfigurationPropertySource> sources;

    /**
     * Creates the view of some sources.
     *
     * @param sources the highest first
     */
    ReplacedLists(Iterable<ConfigurationPropertySource> sources) {
        this.sources = sources;
    }

    /** Tells whether a property exists, but belongs to a list that a higher source replaces. */
    boolean replaces(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        if (!KnownKeys.contains(name)) {
            return false;
        }
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            if (name.isNumericIndex(i) && isReplaced(name.chop(i), name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Requires that a source which replaces the rules of another repeats them as a whole.
     *
     * @param rules what was bound
     * @throws RateLimitConfigurationException if a rule has no name, paths or limit
     */
    void requireWholeRules(List<RuleProperties> rules) {
        List<ConfigurationPropertySource> defining = new ArrayList<>();
        sources.forEach(source -> {
            if (defines(source, RULES)) {
                defining.add(source);
            }
        });
        for (int i = 0; defining.size() > 1 && i < rules.size(); i++) {
            List<String> missing = missing(rules.get(i));
            if (!missing.isEmpty()) {
                throw incomplete(i, missing, defining.get(0));
            }
        }
    }

    private static List<String> missing(RuleProperties rule) {
        List<String> missing = new ArrayList<>();
        if (isBlank(rule.name())) {
            missing.add("name");
        }
        if (rule.paths().isEmpty()) {
            missing.add("paths");
        }
        if (isBlank(rule.policy())) {
            if (rule.limit() == null) {
                missing.add("limit");
            }
            if (isBlank(rule.window())) {
                missing.add("window");
            }
        }
        return missing;
    }

    private static RateLimitConfigurationException incomplete(
            int index, List<String> missing, ConfigurationPropertySource source) {
        return new RateLimitConfigurationException(
                "ratelimit.rules[%d]".formatted(index),
                "%s missing; the list of rules comes from %s alone, which replaces all rules of lower sources"
                        .formatted(
                                String.join(", ", missing) + (missing.size() == 1 ? " is" : " are"), describe(source)),
                "repeat every rule there as a whole, or let the lower source read a single value with a placeholder"
                        + " such as ${API_LIMIT:100}");
    }

    private static String describe(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof org.springframework.core.env.PropertySource<?> underlying
                ? "'%s'".formatted(underlying.getName())
                : "a higher source";
    }

    private boolean isReplaced(ConfigurationPropertyName list, ConfigurationPropertyName element) {
        for (ConfigurationPropertySource source : sources) {
            if (source.getConfigurationProperty(element) != null) {
                return false;
            }
            if (defines(source, list)) {
                return true;
            }
        }
        return false;
    }

    private static boolean defines(ConfigurationPropertySource source, ConfigurationPropertyName list) {
        return source.getConfigurationProperty(list) != null
                || source.containsDescendantOf(list) == ConfigurationPropertyState.PRESENT;
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}

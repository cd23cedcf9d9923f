package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.LiveLimits;
import io.ratelimit.web.PathRule;
import io.ratelimit.web.PathRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.web.util.pattern.PathPatternParser;

/** The rules of a servlet application, which its filters ask for every request. */
final class LivePathRules implements LiveRules {

    private final PathRules inForce;

    private final PathPatternParser parser;

    private final ConfiguredRules words;

    LivePathRules(PathRules inForce, PathPatternParser parser, ConfiguredRules words) {
        this.inForce = inForce;
        this.parser = parser;
        this.words = words;
    }

    @Override
    public LiveLimits.Place place(List<RuleProperties> rules) {
        return factory -> {
            PathRules successor = PathRules.of(ConfiguredRules.read(rules, factory), parser);
            return () -> inForce.adopt(successor);
        };
    }

    @Override
    public Map<String, String> describe() {
        Map<String, String> descriptions = new LinkedHashMap<>();
        for (PathRule rule : inForce.rules()) {
            descriptions.merge(rule.spec().subject(), words.describe(rule), (a, b) -> a + "; " + b);
        }
        return descriptions;
    }
}

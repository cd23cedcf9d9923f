package io.ratelimit.web;

import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** The rules of the application, their patterns parsed. */
public final class PathRules {

    private volatile Snapshot current;

    private PathRules(Snapshot current) {
        this.current = current;
    }

    /**
     * Parses the patterns.
     *
     * @param rules the rules, of all phases
     * @param parser the parser of the application's controllers, so that both agree, for example on upper and lower case
     * @return the parsed rules
     * @throws RateLimitConfigurationException if a pattern cannot be parsed
     */
    public static PathRules of(List<PathRule> rules, PathPatternParser parser) {
        Map<Phase, List<ParsedRule>> byPhase = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            byPhase.put(
                    phase,
                    rules.stream()
                            .filter(rule -> rule.spec().phase() == phase)
                            .map(rule -> ParsedRule.of(rule, parser))
                            .toList());
        }
        return new PathRules(new Snapshot(List.copyOf(rules), byPhase));
    }

    /**
     * Takes over the rules of others, for the requests from now on.
     *
     * @param successor the other rules
     */
    public void adopt(PathRules successor) {
        current = successor.current;
    }

    /** {@return the rules of all phases in their order} */
    public List<PathRule> rules() {
        return current.rules;
    }

    /** Returns the rules as they are now. */
    Snapshot snapshot() {
        return current;
    }

    /**
     * The rules at one moment. A request meets the same ones in both phases, so that a rule that changes its phase meanwhile
     * neither counts it twice nor misses it.
     */
    static final class Snapshot {

        private final List<PathRule> rules;

        private final Map<Phase, List<ParsedRule>> byPhase;

        private Snapshot(List<PathRule> rules, Map<Phase, List<ParsedRule>> byPhase) {
            this.rules = rules;
            this.byPhase = byPhase;
        }

        List<LimitSpec> matching(Phase phase, HttpServletRequest request) {
            List<ParsedRule> ofPhase = byPhase.get(phase);
            if (ofPhase.isEmpty()) {
                return List.of();
            }
            RequestPaths paths = RequestPaths.of(request);
            List<LimitSpec> matching = new ArrayList<>(ofPhase.size());
            for (ParsedRule rule : ofPhase) {
                if (rule.allows(request.getMethod()) && rule.matches(paths)) {
                    matching.add(rule.spec());
                }
            }
            return matching;
        }
    }

    private record ParsedRule(LimitSpec spec, List<PathPattern> paths, List<PathPattern> exclude, Set<String> methods) {

        static ParsedRule of(PathRule rule, PathPatternParser parser) {
            return new ParsedRule(
                    rule.spec(),
                    parse(rule, "paths", rule.paths(), parser),
                    parse(rule, "exclude", rule.exclude(), parser),
                    rule.methods());
        }

        private static List<PathPattern> parse(
                PathRule rule, String attribute, List<String> patterns, PathPatternParser parser) {
            List<PathPattern> parsed = new ArrayList<>();
            for (String pattern : patterns) {
                try {
                    parsed.add(parser.parse(parser.initFullPathPattern(pattern)));
                } catch (PatternParseException unreadable) {
                    throw new RateLimitConfigurationException(
                            rule.spec().subject(),
                            "%s '%s' is no path pattern: %s".formatted(attribute, pattern, unreadable.getMessage()),
                            "use one such as /api/** or /users/{id}");
                }
            }
            return List.copyOf(parsed);
        }

        boolean allows(String method) {
            return methods.isEmpty() || methods.contains(method) || "HEAD".equals(method) && methods.contains("GET");
        }

        boolean matches(RequestPaths request) {
            for (PathPattern path : paths) {
                if (request.matches(path)) {
                    return !isExcluded(request);
                }
            }
            return false;
        }

        private boolean isExcluded(RequestPaths request) {
            for (PathPattern path : exclude) {
                if (request.matchesInEverySpelling(path)) {
                    return true;
                }
            }
            return false;
        }
    }
}

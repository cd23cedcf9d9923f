package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import io.ratelimit.web.PathRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Reads {@code ratelimit.rules}, and says what each of them limits. */
final class ConfiguredRules {

    private static final Log LOG = LogFactory.getLog(RateLimitAutoConfiguration.class);

    private final boolean secured;

    ConfiguredRules(boolean secured) {
        this.secured = secured;
    }

    /**
     * Reads every rule.
     *
     * @param rules the properties in their order
     * @param specs makes limits of them
     * @return the rules in the same order
     * @throws RateLimitConfigurationException if one of them cannot work
     */
    static List<PathRule> read(List<RuleProperties> rules, LimitSpecFactory specs) {
        List<PathRule> read = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            read.add(read(i, rules.get(i), specs));
        }
        return List.copyOf(read);
    }

    private static PathRule read(int index, RuleProperties rule, LimitSpecFactory specs) {
        String name = rule.name();
        if (name == null || name.isBlank()) {
            throw new RateLimitConfigurationException(
                    "ratelimit.rules[%d]".formatted(index),
                    "name is missing",
                    "give the rule a name; it stands in headers and metrics");
        }
        if (rule.paths().isEmpty()) {
            throw new RateLimitConfigurationException(
                    "rule '%s'".formatted(name), "paths are missing", "write paths = /** to limit every request");
        }
        String policy = rule.policy();
        LimitProperties inline = rule.inlineLimit();
        if (policy != null && !policy.isBlank() && inline.text().isEmpty() && !inline.isAbsent()) {
            throw new RateLimitConfigurationException(
                    "rule '%s'".formatted(name),
                    "algorithm, delay or nodelay has no effect beside policy '%s'".formatted(policy),
                    "write it into the policy, or remove it");
        }
        LimitSpec spec = specs.create(declaration(name, rule));
        return new PathRule(spec, rule.paths(), rule.exclude(), new LinkedHashSet<>(rule.methods()));
    }

    private static LimitDeclaration declaration(String name, RuleProperties rule) {
        return LimitDeclaration.ofRule(name)
                .policy(rule.policy())
                .limit(rule.inlineLimit().text())
                .key(rule.key())
                .cost(rule.cost())
                .condition(rule.condition())
                .countWhen(rule.countWhen())
                .shadow(rule.shadow())
                .phase(rule.phase());
    }

    /**
     * Says what rules limit, how their keys are made and in which phase they decide, with one line of the log for each.
     *
     * @param rules the rules
     */
    void announce(List<PathRule> rules) {
        rules.forEach(rule -> LOG.info("%s: %s".formatted(rule.spec().subject(), describe(rule))));
    }

    /** Says in one line what a rule limits. */
    String describe(PathRule rule) {
        String methods = rule.methods().isEmpty() ? "" : String.join(",", new TreeSet<>(rule.methods())) + " ";
        String exclude = rule.exclude().isEmpty() ? "" : " except " + String.join(", ", rule.exclude());
        return "%s%s%s, %s%s%s"
                .formatted(
                        methods,
                        String.join(", ", rule.paths()),
                        exclude,
                        rule.spec().describe(),
                        secured ? phase(rule.spec()) : "",
                        rule.spec().shadow() ? ", shadow" : "");
    }

    private static String phase(LimitSpec spec) {
        return spec.phase() == Phase.BEFORE_SECURITY ? ", before Spring Security" : ", after Spring Security";
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.actuate.LimitControl;
import io.ratelimit.aop.MethodPlans;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.LiveLimits;
import io.ratelimit.enforcement.PolicyRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Puts changed policies, rules and placeholders of annotations into force, and says in the log what has changed. */
final class LiveConfiguration implements LimitControl {

    private static final Log LOG = LogFactory.getLog(RateLimitAutoConfiguration.class);

    private final PropertyReader reader;

    private final RateLimitProperties atStart;

    private final InForce inForce;

    private final @Nullable LiveRules rules;

    private final @Nullable MethodPlans methods;

    private final LiveLimits limits;

    LiveConfiguration(
            Environment environment,
            RateLimitProperties atStart,
            InForce inForce,
            @Nullable LiveRules rules,
            @Nullable MethodPlans methods) {
        this.reader = new PropertyReader(environment);
        this.atStart = atStart;
        this.inForce = inForce;
        this.rules = rules;
        this.methods = methods;
        this.limits = new LiveLimits(
                inForce.policies,
                inForce.limits,
                inForce.factory,
                () -> configuration(atStart, methods == null ? null : methods.inForce()));
    }

    /** The limits as they are, and what made them. */
    record InForce(PolicyRegistry policies, LimitRegistry limits, LimitSpecFactory factory) {}

    @Override
    public synchronized Reload reload() {
        try {
            Map<String, String> before = describe();
            RateLimitProperties now = reader.read();
            limits.apply(configuration(now, methods == null ? null : methods.readAnew()));
            Reload done =
                    new Reload(true, "", differences(before, describe()), PropertyReader.needRestart(atStart, now));
            log(done);
            return done;
        } catch (RuntimeException e) {
            String problem = reader.explain(e);
            LOG.warn("The changed configuration is refused and every limit stays as it is: " + problem);
            return Reload.refused(problem);
        }
    }

    @Override
    public synchronized List<Limit> change(String name, UnaryOperator<List<Limit>> change) {
        Map<String, String> before = describe();
        List<Limit> changed = limits.change(name, change);
        differences(before, describe()).forEach(LOG::info);
        return changed;
    }

    private LiveLimits.Configuration configuration(
            RateLimitProperties properties, LiveLimits.@Nullable Place annotations) {
        List<LiveLimits.Place> places = new ArrayList<>();
        if (rules != null) {
            places.add(rules.place(properties.rules()));
        }
        if (annotations != null) {
            places.add(annotations);
        }
        return new LiveLimits.Configuration(
                ConfiguredPolicies.read(properties.policies()),
                properties.defaultKey(),
                properties.shadow() ? LimitSpecFactory.Mode.SHADOW : LimitSpecFactory.Mode.ENFORCE,
                places);
    }

    private Map<String, String> describe() {
        Map<String, String> descriptions = new LinkedHashMap<>();
        for (String name : inForce.policies.names()) {
            descriptions.put("policy '%s'".formatted(name), describe(name));
        }
        Map<String, String> ofRules = rules == null ? Map.of() : rules.describe();
        descriptions.putAll(ofRules);
        for (LimitSpec spec : inForce.limits.specs()) {
            if (!ofRules.containsKey(spec.subject())) {
                String words = spec.describe() + (spec.shadow() ? ", shadow" : "");
                descriptions.merge(spec.subject(), words, (a, b) -> a + "; " + b);
            }
        }
        return descriptions;
    }

    private String describe(String policy) {
        var definition = inForce.policies.require(policy);
        String words =
                definition.policy().limits().stream().map(Limit::describe).collect(Collectors.joining(" and "));
        return definition.countWhen() == null ? words : words + ", counted when " + definition.countWhen();
    }

    private static List<String> differences(Map<String, String> before, Map<String, String> after) {
        List<String> differences = new ArrayList<>();
        after.forEach((subject, words) -> {
            String old = before.get(subject);
            if (old == null) {
                differences.add("%s: %s; new".formatted(subject, words));
            } else if (!old.equals(words)) {
                differences.add("%s: %s; before: %s".formatted(subject, words, old));
            }
        });
        before.keySet().stream()
                .filter(subject -> !after.containsKey(subject))
                .forEach(subject -> differences.add("%s: removed".formatted(subject)));
        return differences;
    }

    private static void log(Reload done) {
        done.changed().forEach(LOG::info);
        if (!done.needRestart().isEmpty()) {
            LOG.warn("%s changed, but is only read at start-up; restart the application"
                    .formatted(String.join(", ", done.needRestart())));
        }
    }
}

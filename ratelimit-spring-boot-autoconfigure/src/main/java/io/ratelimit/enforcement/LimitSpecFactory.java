package io.ratelimit.enforcement;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.ConditionExpression;
import io.ratelimit.expression.CostExpression;
import io.ratelimit.expression.CountWhenExpression;
import io.ratelimit.expression.ExpressionCompiler;
import io.ratelimit.expression.InvalidExpressionException;
import io.ratelimit.expression.KeyExpression;
import io.ratelimit.expression.PolicyExpression;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Checks and compiles what users wrote about limits, in annotations and rules alike, once and at start-up. */
public final class LimitSpecFactory {

    /** The key of limits that have none: the principal's name, else the client's address. */
    public static final String DEFAULT_KEY = "principal?.name ?: ip";

    static final String UNNAMED = "default";

    private static final Log LOG = LogFactory.getLog(LimitSpecFactory.class);

    private final PolicyRegistry policies;

    private final LimitRegistry registry;

    private final ExpressionCompiler compiler;

    private final KeyExpression defaultKey;

    private final boolean allShadow;

    private final LimitOverrides overrides;

    /**
     * Creates a factory.
     *
     * @param policies the policies that have a name
     * @param registry learns of every limit
     * @param compiler compiles expressions
     * @param defaultKey the key of limits that have none, see {@link #DEFAULT_KEY}
     * @param mode whether limits refuse at all
     * @throws RateLimitConfigurationException if the default key or a policy cannot work
     */
    public LimitSpecFactory(
            PolicyRegistry policies,
            LimitRegistry registry,
            ExpressionCompiler compiler,
            String defaultKey,
            Mode mode) {
        this(policies, registry, compiler, defaultKey, mode, LimitOverrides.none());
    }

    private LimitSpecFactory(
            PolicyRegistry policies,
            LimitRegistry registry,
            ExpressionCompiler compiler,
            String defaultKey,
            Mode mode,
            LimitOverrides overrides) {
        this.policies = policies;
        this.registry = registry;
        this.compiler = compiler;
        this.defaultKey = compiled("ratelimit.default-key", () -> compiler.key(defaultKey, CallParameters.none()));
        this.allShadow = mode == Mode.SHADOW;
        this.overrides = overrides;
        policies.names().stream().filter(name -> !policies.isReplaced(name)).forEach(this::checkPolicy);
    }

    /** Whether limits refuse. */
    public enum Mode {
        /** As each limit says. */
        ENFORCE,
        /** All limits decide and measure only. */
        SHADOW
    }

    /** Returns a factory that reads expressions alike, for limits that are made while the application runs. */
    LimitSpecFactory successor(
            PolicyRegistry newPolicies,
            LimitRegistry newRegistry,
            String newDefaultKey,
            Mode newMode,
            LimitOverrides newOverrides) {
        return new LimitSpecFactory(newPolicies, newRegistry, compiler, newDefaultKey, newMode, newOverrides);
    }

    /**
     * Makes a limit of what a user wrote, and registers it.
     *
     * @param declaration the user's words
     * @return the limit
     * @throws RateLimitConfigurationException if it cannot work, with a message that names subject, attribute, value and
     *     remedy
     */
    public LimitSpec create(LimitDeclaration declaration) {
        CallParameters parameters = declaration.parameters;
        String subject = declaration.subject;
        WireNames.require(subject, "name", declaration.name);
        KeyExpression key = declaration.key.isEmpty()
                ? defaultKey
                : compiled(subject, () -> compiler.key(declaration.key, parameters));
        CostExpression cost =
                compiled(subject, () -> compiler.cost(declaration.cost.isEmpty() ? "1" : declaration.cost, parameters));
        ConditionExpression condition = declaration.condition.isEmpty()
                ? null
                : compiled(subject, () -> compiler.condition(declaration.condition, parameters));
        CountWhenExpression countWhen = countWhen(subject, declaration.countWhen, parameters);
        PolicyExpression template = template(declaration);
        PolicySource policy = source(declaration, template);
        Phase phase = declaration.phase != null ? declaration.phase : phase(key, cost, condition, template);
        LimitSpec spec = new LimitSpec(
                declaration, policy, key, cost, condition, countWhen, declaration.shadow || allShadow, phase);
        checkCost(spec);
        registry.add(spec);
        return spec;
    }

    private @Nullable CountWhenExpression countWhen(String subject, @Nullable String text, CallParameters parameters) {
        return text == null || text.isBlank() ? null : compiled(subject, () -> compiler.countWhen(text, parameters));
    }

    private @Nullable PolicyExpression template(LimitDeclaration declaration) {
        return declaration.policy.contains("#{")
                ? compiled(declaration.subject, () -> compiler.policy(declaration.policy, declaration.parameters))
                : null;
    }

    private PolicySource source(LimitDeclaration declaration, @Nullable PolicyExpression template) {
        requireOneSource(declaration);
        Function<PolicyDefinition, ChosenPolicy> prepare = definition -> prepare(declaration, definition);
        if (template != null) {
            return new PolicySource.Template(policies, template, prepare);
        }
        if (!declaration.policy.isEmpty()) {
            requirePolicy(declaration);
            return new PolicySource.Named(policies, declaration.policy, prepare);
        }
        List<Limit> limits = declaration.limits.stream()
                .map(limit -> limit.parse(declaration.subject))
                .toList();
        warnAboutQueue(declaration.subject, limits);
        List<Limit> current = overrides.apply(declaration.bucket(), limits);
        return new PolicySource.Inline(PolicyDefinition.of(new Policy(declaration.bucket(), current, null)), prepare);
    }

    private static void requireOneSource(LimitDeclaration declaration) {
        if (declaration.policy.isEmpty() && declaration.limits.isEmpty()) {
            throw new RateLimitConfigurationException(
                    declaration.subject, "there is no limit", "give a limit and a window, or the name of a policy");
        }
        if (!declaration.policy.isEmpty() && !declaration.limits.isEmpty()) {
            throw new RateLimitConfigurationException(
                    declaration.subject,
                    "policy '%s' and a limit are both given".formatted(declaration.policy),
                    "remove one of them");
        }
    }

    private void requirePolicy(LimitDeclaration declaration) {
        if (policies.find(declaration.policy).isEmpty()) {
            throw new RateLimitConfigurationException(
                    declaration.subject,
                    "policy '%s' does not exist".formatted(declaration.policy),
                    policies.remedy(declaration.policy));
        }
        WireNames.require(declaration.subject, "policy", declaration.policy);
    }

    private ChosenPolicy prepare(LimitDeclaration declaration, PolicyDefinition definition) {
        CountWhenExpression countWhen = countWhen(declaration.subject, definition.countWhen(), CallParameters.none());
        Policy policy = definition.policy();
        boolean inline = declaration.policy.isEmpty();
        String unnamed = inline ? UNNAMED : policy.name();
        String wireName = declaration.name.isEmpty() ? unnamed : declaration.name;
        return new ChosenPolicy(definition, policy.named(declaration.bucket()), wireName, countWhen);
    }

    private static Phase phase(
            KeyExpression key,
            CostExpression cost,
            @Nullable ConditionExpression condition,
            @Nullable PolicyExpression template) {
        boolean principal = key.usesPrincipal()
                || cost.usesPrincipal()
                || (condition != null && condition.usesPrincipal())
                || (template != null && template.usesPrincipal());
        return principal ? Phase.AFTER_SECURITY : Phase.BEFORE_SECURITY;
    }

    private static void checkCost(LimitSpec spec) {
        OptionalLong cost = spec.cost().fixed();
        for (Limit limit : spec.limits()) {
            if (cost.isPresent() && limit.limit() > 0 && cost.getAsLong() > capacity(limit)) {
                throw new RateLimitConfigurationException(
                        spec.subject(),
                        "cost '%s' is above %d, the most that the limit can ever admit at once"
                                .formatted(spec.cost().text(), capacity(limit)),
                        "lower the cost, or raise limit or burst");
            }
        }
    }

    private static long capacity(Limit limit) {
        return limit.algorithm() == Algorithm.LEAKY_BUCKET ? limit.burst() + 1 : limit.burst();
    }

    private void checkPolicy(String name) {
        String subject = "policy '%s'".formatted(name);
        WireNames.require(subject, "name", name);
        policies.find(name).ifPresent(definition -> {
            countWhen(subject, definition.countWhen(), CallParameters.none());
            warnAboutQueue(subject, definition.policy().limits());
        });
    }

    private static void warnAboutQueue(String subject, List<Limit> limits) {
        for (Limit limit : limits) {
            if (limit.maxDelayMicros() == Limit.UNBOUNDED || limit.nodelay() || limit.limit() == 0) {
                continue;
            }
            long served = Math.addExact(
                    limit.delay(), limit.maxDelayMicros() / Math.max(1, limit.windowMicros() / limit.limit()));
            if (limit.burst() > served) {
                LOG.warn(
                        "%s: burst %d is never reached, because max-delay lets at most %d requests queue; lower burst or raise max-delay"
                                .formatted(subject, limit.burst(), served));
            }
        }
    }

    private static <T> T compiled(String subject, Supplier<T> compilation) {
        try {
            return compilation.get();
        } catch (InvalidExpressionException e) {
            throw RateLimitConfigurationException.of(subject, e);
        }
    }
}

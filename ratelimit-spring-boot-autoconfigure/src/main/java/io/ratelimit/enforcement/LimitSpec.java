package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import io.ratelimit.expression.ConditionExpression;
import io.ratelimit.expression.CostExpression;
import io.ratelimit.expression.CountWhenExpression;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.InvalidResultException;
import io.ratelimit.expression.KeyExpression;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One limit of a rule or an annotation, checked and compiled once: all that is needed to decide on a request. */
public final class LimitSpec {

    private final String subject;

    private final String bucket;

    private final LimitDeclaration.Origin origin;

    private final PolicySource policy;

    private final KeyExpression key;

    private final boolean defaultKey;

    private final CostExpression cost;

    private final @Nullable ConditionExpression condition;

    private final @Nullable CountWhenExpression countWhen;

    private final boolean shadow;

    private final Phase phase;

    private final ThrottledWarning warning = new ThrottledWarning(LimitSpec.class);

    LimitSpec(
            LimitDeclaration declaration,
            PolicySource policy,
            KeyExpression key,
            CostExpression cost,
            @Nullable ConditionExpression condition,
            @Nullable CountWhenExpression countWhen,
            boolean shadow,
            Phase phase) {
        this.subject = declaration.subject;
        this.bucket = declaration.bucket();
        this.origin = declaration.origin;
        this.defaultKey = declaration.key.isEmpty();
        this.policy = policy;
        this.key = key;
        this.cost = cost;
        this.condition = condition;
        this.countWhen = countWhen;
        this.shadow = shadow;
        this.phase = phase;
    }

    /** {@return what this is in messages, such as "rule 'api'" or "method CatalogController.search"} */
    public String subject() {
        return subject;
    }

    /** {@return the name under which permits are counted} */
    public String bucket() {
        return bucket;
    }

    /** {@return whether the limit decides and measures, but never refuses} */
    public boolean shadow() {
        return shadow;
    }

    /** {@return when it decides, if it belongs to a rule} */
    public Phase phase() {
        return phase;
    }

    /** {@return whether it belongs to a rule, and so has a phase} */
    public boolean belongsToRule() {
        return origin == LimitDeclaration.Origin.RULE;
    }

    /** {@return the current limits; empty if a template chooses them for each request} */
    public List<Limit> limits() {
        ChosenPolicy fixed = policy.fixed();
        return fixed == null ? List.of() : fixed.policy().limits();
    }

    /** {@return the name for clients; for a template without a name "default"} */
    public String wireName() {
        ChosenPolicy fixed = policy.fixed();
        return fixed == null ? LimitSpecFactory.UNNAMED : fixed.wireName();
    }

    /** {@return the key as it was written} */
    public String keyText() {
        return key.text();
    }

    /** {@return the name of its policy, or the template that chooses one; empty if its limits stand where it is declared} */
    public Optional<String> policyText() {
        return Optional.ofNullable(policy.written());
    }

    /** {@return the cost as it was written} */
    public String costText() {
        return cost.text();
    }

    /** {@return the condition as it was written, empty if there is none} */
    public Optional<String> conditionText() {
        return Optional.ofNullable(condition).map(ConditionExpression::text);
    }

    /** {@return what decides afterwards whether a request counts, its policy's word included; empty if every one does} */
    public Optional<String> countWhenText() {
        ChosenPolicy fixed = policy.fixed();
        CountWhenExpression counts = countWhen != null || fixed == null ? countWhen : fixed.countWhen();
        return Optional.ofNullable(counts).map(CountWhenExpression::text);
    }

    /** {@return how it limits, in words: "100 per 1m (TOKEN_BUCKET) for each ip, cost #pages"} */
    public String describe() {
        String words = limits().isEmpty()
                ? "a policy chosen for each request"
                : limits().stream().map(Limit::describe).collect(Collectors.joining(" and "));
        StringBuilder text = new StringBuilder(words).append(" for each ").append(keyText());
        if (!costText().equals("1")) {
            text.append(", cost ").append(costText());
        }
        conditionText().ifPresent(condition -> text.append(", if ").append(condition));
        countWhenText().ifPresent(counts -> text.append(", counted when ").append(counts));
        return text.toString();
    }

    /** {@return whether its limits stand where it is declared, and not in a policy} */
    boolean isInline() {
        return policy instanceof PolicySource.Inline;
    }

    PolicySource policy() {
        return policy;
    }

    KeyExpression key() {
        return key;
    }

    boolean usesDefaultKey() {
        return defaultKey;
    }

    CostExpression cost() {
        return cost;
    }

    /** Chooses the policy for a request. */
    ChosenPolicy choosePolicy(EvaluationScope scope) {
        try {
            return policy.choose(scope);
        } catch (RuntimeException e) {
            throw failure("policy template", policy.written(), e, policy.blamesClient(e), scope);
        }
    }

    /** Computes the cost of a request. */
    long costOf(EvaluationScope scope) {
        try {
            return cost.evaluate(scope);
        } catch (RuntimeException e) {
            throw failure("cost", cost.text(), e, cost.blamesClient(e), scope);
        }
    }

    private RateLimitEvaluationException failure(
            String attribute,
            @Nullable String written,
            RuntimeException cause,
            boolean onClient,
            EvaluationScope scope) {
        String reason = ThrottledWarning.describe(cause);
        String problem = cause instanceof InvalidResultException
                ? reason
                : "%s '%s' failed: %s".formatted(attribute, written, reason);
        return new RateLimitEvaluationException(
                subject + ": " + problem, cause, onClient && scope.request().isPresent());
    }

    @Nullable
    ConditionExpression condition() {
        return condition;
    }

    /** Returns this limit's own expression, which takes precedence over its policy's. */
    @Nullable
    CountWhenExpression countWhen() {
        return countWhen;
    }

    /** Returns where mistakes of this limit are logged, so that one limit's do not hide another's. */
    ThrottledWarning warning() {
        return warning;
    }

    @Override
    public String toString() {
        return subject;
    }
}

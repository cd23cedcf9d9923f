package io.ratelimit.expression;

import java.util.List;

/** A template such as {@code #{@plans.of(principal)}} that chooses a policy for each request. */
public final class PolicyExpression {

    private final CompiledExpression source;

    PolicyExpression(CompiledExpression source) {
        this.source = source;
    }

    /**
     * Chooses the policy.
     *
     * @param scope request and arguments
     * @return its name
     * @throws IllegalStateException if the template gives nothing
     * @throws RuntimeException if the template throws
     */
    public String evaluate(EvaluationScope scope) {
        Object value = source.evaluate(scope, null);
        String name = value instanceof Enum<?> constant ? constant.name() : value == null ? "" : value.toString();
        if (name.isBlank()) {
            throw new InvalidResultException(
                    "policy template '%s' gave nothing; let it give the name of a policy".formatted(text()));
        }
        return name;
    }

    /**
     * Says that a name which the template gave is no policy.
     *
     * @param name what {@link #evaluate} returned
     * @param known the names of the configured policies
     * @return to be thrown
     */
    public InvalidResultException unknown(String name, List<String> known) {
        return new InvalidResultException("policy template '%s' gave %s, which does not exist; %s"
                .formatted(
                        text(),
                        InvalidResultException.quoted(source.traits(), name),
                        known.isEmpty()
                                ? "define it in ratelimit.policies"
                                : "define it in ratelimit.policies, or use one of " + String.join(", ", known)));
    }

    /** {@return whether the choice depends on who is authenticated} */
    public boolean usesPrincipal() {
        return source.traits().usesPrincipal();
    }

    /**
     * Tells whose mistake a failure is.
     *
     * @param failure what the choice of a policy threw: {@link #evaluate}, or those who look the name up
     * @return whether it is to be put down to what the client sent
     */
    public boolean blamesClient(RuntimeException failure) {
        return Blame.isOnClient(source.traits(), true, failure);
    }

    /** {@return the template as it was written} */
    public String text() {
        return source.text();
    }
}

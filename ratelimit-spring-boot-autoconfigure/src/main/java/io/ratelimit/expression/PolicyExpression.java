package io.ratelimit.expression;

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
                    "policy '%s' chose nothing; let it give the name of a policy".formatted(text()));
        }
        return name;
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

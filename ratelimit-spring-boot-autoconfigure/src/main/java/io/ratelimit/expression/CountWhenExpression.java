package io.ratelimit.expression;

/** Says after a request whether it counts. */
public final class CountWhenExpression {

    private final CompiledExpression source;

    CountWhenExpression(CompiledExpression source) {
        this.source = source;
    }

    /**
     * Tells whether the request counts.
     *
     * @param scope request and arguments
     * @param outcome how it ended
     * @return whether the expression is true; nothing is false
     * @throws IllegalStateException if the expression gives no boolean
     * @throws RuntimeException if the expression throws
     */
    public boolean counts(EvaluationScope scope, Outcome outcome) {
        Object value = source.evaluate(scope, outcome);
        return value != null && ConditionExpression.toBoolean("countWhen", source, value);
    }

    /** {@return whether the response's status is needed, which is known only when the request completes} */
    public boolean usesStatus() {
        return source.traits().uses("status");
    }

    /** {@return the expression as it was written} */
    public String text() {
        return source.text();
    }
}

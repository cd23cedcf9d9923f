package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** Says whether a request is limited at all. */
public final class ConditionExpression {

    private final CompiledExpression source;

    ConditionExpression(CompiledExpression source) {
        this.source = source;
    }

    /**
     * Tells whether the request is limited.
     *
     * @param scope request and arguments
     * @return false only if the expression says so; nothing counts as true, so that no mistake lifts a limit
     * @throws IllegalStateException if the expression gives no boolean
     * @throws RuntimeException if the expression throws
     */
    public boolean limits(EvaluationScope scope) {
        Object value = source.evaluate(scope, null);
        return value == null || toBoolean("condition", source, value);
    }

    /** {@return whether the condition depends on who is authenticated} */
    public boolean usesPrincipal() {
        return source.traits().usesPrincipal();
    }

    /** {@return the expression as it was written} */
    public String text() {
        return source.text();
    }

    static boolean toBoolean(String attribute, CompiledExpression source, @Nullable Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw new IllegalStateException("%s '%s' gave a %s, which is no boolean"
                .formatted(
                        attribute,
                        source.text(),
                        value == null ? null : value.getClass().getSimpleName()));
    }
}

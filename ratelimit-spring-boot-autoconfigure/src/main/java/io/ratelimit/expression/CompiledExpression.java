package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelNode;

/**
 * A parsed and inspected expression. SpEL's own compiler stays off: it locks while compiling and gives little for
 * expressions this short.
 *
 * @param text as the user wrote it
 * @param expression parsed
 * @param ast its syntax tree; {@code null} for a template of several parts
 * @param traits what it depends on
 * @param shared what evaluations have in common
 */
record CompiledExpression(
        String text,
        Expression expression,
        @Nullable SpelNode ast,
        ExpressionInspector traits,
        ScopeContext.Shared shared) {

    @Nullable
    Object evaluate(EvaluationScope scope, @Nullable Outcome outcome) {
        return expression.getValue(new ScopeContext(shared, scope, outcome));
    }
}

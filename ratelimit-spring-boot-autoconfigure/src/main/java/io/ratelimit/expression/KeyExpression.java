package io.ratelimit.expression;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;

/**
 * Says whose requests are counted together.
 *
 * <p>An expression {@code a ?: b} is taken apart, so that a user called "203.0.113.7" and that address are two keys.
 */
public final class KeyExpression {

    private final CompiledExpression source;

    private final List<KeyTerm> alternatives;

    private final @Nullable Optional<PartitionKey> constant;

    KeyExpression(CompiledExpression source) {
        this.source = source;
        boolean secret = source.traits().touchesSecret();
        SpelNode ast = source.ast();
        if (ast == null) {
            throw new InvalidExpressionException("key '%s' is a template".formatted(source.text()), "write plain SpEL");
        }
        this.alternatives = ast instanceof Elvis
                ? KeyTerm.alternatives(ast, source.shared(), secret)
                : List.of(KeyTerm.single(ast, source.shared(), secret));
        this.constant = source.traits().isConstant()
                ? compute(EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none()))
                : null;
    }

    /**
     * Computes the key.
     *
     * @param scope request and arguments
     * @return the key; empty if the expression gave nothing or an empty text
     * @throws RuntimeException if the expression throws or gives something that has no text of its own
     */
    public Optional<PartitionKey> evaluate(EvaluationScope scope) {
        return constant != null ? constant : compute(scope);
    }

    /** {@return whether the key depends on who is authenticated} */
    public boolean usesPrincipal() {
        return source.traits().usesPrincipal();
    }

    /** {@return the expression as it was written} */
    public String text() {
        return source.text();
    }

    private Optional<PartitionKey> compute(EvaluationScope scope) {
        for (KeyTerm term : alternatives) {
            PartitionKey key = term.evaluate(scope);
            if (key != null) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }
}

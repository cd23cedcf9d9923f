package io.ratelimit.expression;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * One alternative of a key expression. The commonest ones are read without SpEL.
 *
 * @param kind what the text is
 * @param secret whether the text may be a credential
 * @param value computes it
 */
record KeyTerm(KeyText kind, boolean secret, Function<EvaluationScope, @Nullable Object> value) {

    private static final SpelParserConfiguration CONFIGURATION = new SpelParserConfiguration();

    static KeyTerm single(SpelNode ast, ScopeContext.Shared shared, boolean secret) {
        return new KeyTerm(KeyText.PLAIN, secret, reader(ast, shared));
    }

    static List<KeyTerm> alternatives(SpelNode ast, ScopeContext.Shared shared, boolean secret) {
        List<KeyTerm> terms = new ArrayList<>();
        collect(ast, shared, secret, terms);
        return List.copyOf(terms);
    }

    private static void collect(SpelNode ast, ScopeContext.Shared shared, boolean secret, List<KeyTerm> terms) {
        if (ast instanceof Elvis) {
            collect(ast.getChild(0), shared, secret, terms);
            collect(ast.getChild(1), shared, secret, terms);
        } else {
            terms.add(new KeyTerm(kindOf(ast.toStringAST()), secret, reader(ast, shared)));
        }
    }

    private static KeyText kindOf(String text) {
        return switch (text) {
            case "ip", "#ip" -> KeyText.ADDRESS;
            case "principal", "principal.name", "principal?.name", "#principal?.name", "#principal.name" ->
                KeyText.USER;
            default -> KeyText.OTHER;
        };
    }

    private static Function<EvaluationScope, @Nullable Object> reader(SpelNode ast, ScopeContext.Shared shared) {
        String text = ast.toStringAST();
        if (text.equals("ip")) {
            return KeyTerm::ip;
        }
        if (text.equals("principal?.name")) {
            return KeyTerm::principalName;
        }
        if (ast instanceof VariableReference) {
            String name = text.substring(1);
            return scope -> scope.hasArgument(name) ? scope.argument(name) : interpret(ast, shared, scope);
        }
        return scope -> interpret(ast, shared, scope);
    }

    private static @Nullable Object ip(EvaluationScope scope) {
        RequestRoot request = scope.requestOrNull();
        return request == null ? null : request.getIp();
    }

    private static @Nullable Object principalName(EvaluationScope scope) {
        RequestRoot request = scope.requestOrNull();
        Principal principal = request == null ? null : request.getPrincipal();
        return principal == null ? null : principal.getName();
    }

    private static @Nullable Object interpret(SpelNode ast, ScopeContext.Shared shared, EvaluationScope scope) {
        return ast.getValue(new ExpressionState(new ScopeContext(shared, scope, null), CONFIGURATION));
    }

    @Nullable
    PartitionKey evaluate(EvaluationScope scope) {
        return KeyValue.toKey(kind, value.apply(scope), secret);
    }
}

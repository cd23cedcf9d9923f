package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Turns the text of expressions into objects that evaluate them, once, at start-up.
 *
 * <p>All methods throw {@link InvalidExpressionException} for text that is no SpEL or uses names that do not exist.
 */
public final class ExpressionCompiler {

    private final SpelExpressionParser parser;

    private final ScopeContext.Shared shared;

    /**
     * Creates a compiler.
     *
     * @param beanFactory finds what {@code @bean} means; {@code null} if nothing
     * @param classLoader finds what {@code T(some.Type)} means; {@code null} for the default
     */
    public ExpressionCompiler(@Nullable BeanFactory beanFactory, @Nullable ClassLoader classLoader) {
        this.parser = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, classLoader));
        this.shared = new ScopeContext.Shared(beanFactory, classLoader);
    }

    /**
     * Compiles a key.
     *
     * @param text SpEL
     * @param parameters arguments it may use
     * @return the compiled key
     */
    public KeyExpression key(String text, CallParameters parameters) {
        return new KeyExpression(compile("key", text, parameters, false));
    }

    /**
     * Compiles a cost.
     *
     * @param text SpEL
     * @param parameters arguments it may use
     * @return the compiled cost
     */
    public CostExpression cost(String text, CallParameters parameters) {
        return new CostExpression(compile("cost", text, parameters, false));
    }

    /**
     * Compiles a condition.
     *
     * @param text SpEL
     * @param parameters arguments it may use
     * @return the compiled condition
     */
    public ConditionExpression condition(String text, CallParameters parameters) {
        return new ConditionExpression(compile("condition", text, parameters, false));
    }

    /**
     * Compiles what decides afterwards.
     *
     * @param text SpEL
     * @param parameters arguments it may use
     * @return the compiled expression
     */
    public CountWhenExpression countWhen(String text, CallParameters parameters) {
        return new CountWhenExpression(compile("countWhen", text, parameters, true));
    }

    /**
     * Compiles a choice of policy.
     *
     * @param text a template with at least one <code>#{...}</code>
     * @param parameters arguments it may use
     * @return the compiled template
     */
    public PolicyExpression policy(String text, CallParameters parameters) {
        Expression expression = parse("policy", text, true);
        if (expression instanceof CompositeStringExpression composite) {
            String parts = "";
            for (Expression part : composite.getExpressions()) {
                if (part instanceof SpelExpression spel) {
                    ExpressionInspector.inspect("policy", text, spel.getAST(), parameters, false);
                    parts += (parts.isEmpty() ? "" : ", ") + spel.getExpressionString();
                }
            }
            SpelNode all = ((SpelExpression) parse("policy", "{" + parts + "}", false)).getAST();
            return new PolicyExpression(new CompiledExpression(
                    text,
                    expression,
                    null,
                    ExpressionInspector.inspect("policy", text, all, parameters, false),
                    shared));
        }
        return new PolicyExpression(inspected("policy", text, expression, parameters, false));
    }

    private CompiledExpression compile(String attribute, String text, CallParameters parameters, boolean afterwards) {
        return inspected(attribute, text, parse(attribute, text, false), parameters, afterwards);
    }

    private CompiledExpression inspected(
            String attribute, String text, Expression expression, CallParameters parameters, boolean afterwards) {
        SpelNode ast = expression instanceof SpelExpression spel ? spel.getAST() : null;
        return new CompiledExpression(
                text,
                expression,
                ast,
                ExpressionInspector.inspect(attribute, text, ast, parameters, afterwards),
                shared);
    }

    private Expression parse(String attribute, String text, boolean template) {
        try {
            return template ? parser.parseExpression(text, new TemplateParserContext()) : parser.parseExpression(text);
        } catch (ParseException | IllegalStateException | IllegalArgumentException e) {
            throw new InvalidExpressionException(
                    "%s '%s' is no SpEL (%s)".formatted(attribute, text, detail(e)), "correct the expression");
        }
    }

    private static @Nullable String detail(Exception e) {
        return e instanceof ParseException parse ? parse.toDetailedString() : e.getMessage();
    }
}

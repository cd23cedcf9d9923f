package io.ratelimit.expression;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Walks the syntax tree of an expression once, at start-up: refuses names that do not exist and notes what the
 * expression depends on.
 */
final class ExpressionInspector {

    private static final Set<String> SELF = Set.of("root", "this");

    private static final Set<String> PRINCIPALS = Set.of(
            "principal",
            "getPrincipal",
            "userPrincipal",
            "getUserPrincipal",
            "remoteUser",
            "getRemoteUser",
            "isUserInRole");

    private static final Set<String> SECRETS = Set.of("header", "request", "getRequest");

    private static final Set<String> INPUTS =
            Set.of("ip", "getIp", "header", "request", "getRequest", "path", "getPath", "method", "getMethod");

    private final String attribute;

    private final String text;

    private final CallParameters parameters;

    private final boolean afterwards;

    private final Set<String> names = new TreeSet<>();

    private boolean secretArgument;

    private boolean argument;

    private boolean bean;

    private boolean constant = true;

    private ExpressionInspector(String attribute, String text, CallParameters parameters, boolean afterwards) {
        this.attribute = attribute;
        this.text = text;
        this.parameters = parameters;
        this.afterwards = afterwards;
    }

    /**
     * Inspects an expression.
     *
     * @param afterwards whether result, error and status exist
     * @throws InvalidExpressionException if it uses a name that does not exist
     */
    static ExpressionInspector inspect(
            String attribute, String text, @Nullable SpelNode ast, CallParameters parameters, boolean afterwards) {
        ExpressionInspector inspector = new ExpressionInspector(attribute, text, parameters, afterwards);
        if (ast != null) {
            inspector.visit(ast, true);
        }
        return inspector;
    }

    boolean usesPrincipal() {
        return names.stream().anyMatch(PRINCIPALS::contains);
    }

    boolean touchesSecret() {
        return secretArgument || names.stream().anyMatch(SECRETS::contains);
    }

    /** Tells whether the expression depends on what a client sends. */
    boolean readsInput() {
        return argument || names.stream().anyMatch(INPUTS::contains);
    }

    /** Tells whether the expression calls code of the application. */
    boolean callsBean() {
        return bean;
    }

    boolean uses(String name) {
        return names.contains(name);
    }

    /** Tells whether the expression consists of literals and operators only. */
    boolean isConstant() {
        return constant;
    }

    private void visit(SpelNode node, boolean onRoot) {
        if (node instanceof CompoundExpression) {
            visitCompound(node, onRoot);
        } else if (node instanceof PropertyOrFieldReference property) {
            property(property.getName(), onRoot);
        } else if (node instanceof VariableReference) {
            variable(node.toStringAST().substring(1));
        } else if (node instanceof InlineMap) {
            visitValues(node, onRoot);
        } else if (node instanceof Indexer) {
            visitIndex(node);
        } else {
            visitOther(node, onRoot);
        }
    }

    private void visitOther(SpelNode node, boolean onRoot) {
        if (node instanceof MethodReference method) {
            method(method.getName(), onRoot);
            visitChildren(node, true);
        } else if (node instanceof Projection || node instanceof Selection) {
            constant = false;
            visitChildren(node, false);
        } else {
            if (node instanceof FunctionReference) {
                throw noFunctions(node);
            }
            if (node instanceof TypeReference
                    || node instanceof ConstructorReference
                    || node instanceof BeanReference) {
                constant = false;
                bean |= node instanceof BeanReference;
                noteSecurityContext(node);
            }
            visitChildren(node, onRoot);
        }
    }

    private void visitCompound(SpelNode node, boolean onRoot) {
        boolean target = onRoot;
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            if (i > 0 && child instanceof PropertyOrFieldReference property) {
                member(property.getName(), target);
            } else if (i > 0 && child instanceof MethodReference method) {
                member(method.getName(), target);
                visitChildren(child, true);
            } else {
                visit(child, onRoot);
            }
            target = i == 0 && child instanceof VariableReference && SELF.contains(variableName(child));
        }
    }

    private void visitValues(SpelNode map, boolean onRoot) {
        for (int i = 1; i < map.getChildCount(); i += 2) {
            visit(map.getChild(i), onRoot);
        }
    }

    /** An index may be a bare word that is a map's key and no property, so it is not checked. */
    private void visitIndex(SpelNode indexer) {
        constant = false;
        for (int i = 0; i < indexer.getChildCount(); i++) {
            SpelNode child = indexer.getChild(i);
            if (child instanceof PropertyOrFieldReference property) {
                names.add(property.getName());
            } else if (child instanceof StringLiteral literal) {
                names.add(String.valueOf(literal.getLiteralValue().getValue()));
            } else {
                visit(child, true);
            }
        }
    }

    private void visitChildren(SpelNode node, boolean onRoot) {
        for (int i = 0; i < node.getChildCount(); i++) {
            visit(node.getChild(i), onRoot);
        }
    }

    private void property(String name, boolean onRoot) {
        constant = false;
        names.add(name);
        if (!onRoot || ExpressionRoot.REQUEST_PROPERTIES.contains(name)) {
            return;
        }
        if (ExpressionRoot.OUTCOME_PROPERTIES.contains(name) && afterwards) {
            return;
        }
        throw unknownProperty(name);
    }

    private void method(String name, boolean onRoot) {
        constant = false;
        names.add(name);
        if (onRoot && !ExpressionRoot.METHODS.contains(name)) {
            throw invalid(
                    "calls %s(), which does not exist".formatted(name),
                    "use header('name'), or @bean.%s(...) for a method of a bean".formatted(name));
        }
    }

    /** A property or method of something else matters only where it leads to the user or to the root again. */
    private void member(String name, boolean ofRoot) {
        constant = false;
        if (ofRoot || (PRINCIPALS.contains(name) && !name.equals("principal"))) {
            names.add(name);
        }
    }

    private void variable(String name) {
        constant = false;
        if (parameters.has(name)) {
            argument = true;
            secretArgument |= parameters.isSecret(name);
            return;
        }
        boolean outcome = afterwards && ExpressionRoot.OUTCOME_PROPERTIES.contains(name);
        boolean request = Set.of("ip", "principal", "request").contains(name);
        if (!SELF.contains(name) && !outcome && !request) {
            throw invalid("uses #%s, but there is no such argument".formatted(name), parameters.describe());
        }
        names.add(name);
    }

    private void noteSecurityContext(SpelNode node) {
        if (node.toStringAST().contains("SecurityContextHolder")) {
            names.add("principal");
        }
    }

    private static String variableName(SpelNode node) {
        return node.toStringAST().substring(1);
    }

    private InvalidExpressionException unknownProperty(String name) {
        if (parameters.has(name)) {
            return invalid("uses %s, but arguments need a #".formatted(name), "use #%s".formatted(name));
        }
        if (ExpressionRoot.OUTCOME_PROPERTIES.contains(name)) {
            return invalid("uses %s, which exists only after the call".formatted(name), "move it to countWhen");
        }
        Set<String> known = new TreeSet<>(ExpressionRoot.REQUEST_PROPERTIES);
        if (afterwards) {
            known.addAll(ExpressionRoot.OUTCOME_PROPERTIES);
        }
        return invalid(
                "uses %s, which does not exist".formatted(name),
                "use one of %s, or #name for an argument".formatted(String.join(", ", known)));
    }

    private InvalidExpressionException noFunctions(SpelNode node) {
        return invalid(
                "calls the function %s, but there are none".formatted(node.toStringAST()), "call @bean.method(...)");
    }

    private InvalidExpressionException invalid(String problem, String remedy) {
        return new InvalidExpressionException("%s '%s' %s".formatted(attribute, text, problem), remedy);
    }
}

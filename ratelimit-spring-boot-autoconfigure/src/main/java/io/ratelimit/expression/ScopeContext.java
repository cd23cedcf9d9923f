package io.ratelimit.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.ReflectiveConstructorResolver;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.expression.spel.support.StandardOperatorOverloader;
import org.springframework.expression.spel.support.StandardTypeComparator;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * One evaluation of one expression. Unlike Spring's standard context it holds nothing of its own but the scope: what
 * resolves types, beans and methods is shared, so an evaluation allocates little and locks nothing.
 */
final class ScopeContext implements EvaluationContext {

    private final Shared shared;

    private final EvaluationScope scope;

    private final TypedValue root;

    ScopeContext(Shared shared, EvaluationScope scope, @Nullable Outcome outcome) {
        this.shared = shared;
        this.scope = scope;
        this.root = new TypedValue(new ExpressionRoot(scope.requestOrNull(), outcome));
    }

    /** What all evaluations have in common. */
    static final class Shared {

        private final List<PropertyAccessor> propertyAccessors =
                List.of(new ExpressionRoot.Accessor(), new MapKeys(), DataBindingPropertyAccessor.forReadOnlyAccess());

        private final List<MethodResolver> methodResolvers = List.of(new ReflectiveMethodResolver());

        private final List<ConstructorResolver> constructorResolvers = List.of(new ReflectiveConstructorResolver());

        private final TypeConverter typeConverter = new StandardTypeConverter();

        private final TypeComparator typeComparator = new StandardTypeComparator();

        private final OperatorOverloader operatorOverloader = new StandardOperatorOverloader();

        private final TypeLocator typeLocator;

        private final @Nullable BeanResolver beanResolver;

        Shared(@Nullable BeanFactory beanFactory, @Nullable ClassLoader classLoader) {
            this.typeLocator = new StandardTypeLocator(classLoader);
            this.beanResolver = beanFactory == null ? null : new BeanFactoryResolver(beanFactory);
        }
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        if (scope.hasArgument(name)) {
            return scope.argument(name);
        }
        return ExpressionRoot.isProperty(name) && root.getValue() instanceof ExpressionRoot properties
                ? properties.property(name)
                : null;
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("expressions of a rate limit cannot assign");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public TypedValue getRootObject() {
        return root;
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return shared.propertyAccessors;
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return shared.methodResolvers;
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return shared.constructorResolvers;
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return shared.beanResolver;
    }

    @Override
    public TypeLocator getTypeLocator() {
        return shared.typeLocator;
    }

    @Override
    public TypeConverter getTypeConverter() {
        return shared.typeConverter;
    }

    @Override
    public TypeComparator getTypeComparator() {
        return shared.typeComparator;
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return shared.operatorOverloader;
    }
}

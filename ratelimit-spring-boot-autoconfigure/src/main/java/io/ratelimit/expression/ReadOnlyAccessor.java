package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;

/** Reads properties of one type without reflection, and refuses to write them. */
abstract class ReadOnlyAccessor<T> implements PropertyAccessor {

    private final Class<T> type;

    ReadOnlyAccessor(Class<T> type) {
        this.type = type;
    }

    abstract boolean has(T target, String name);

    abstract @Nullable Object get(T target, String name);

    @Override
    public final Class<?>[] getSpecificTargetClasses() {
        return new Class<?>[] {type};
    }

    @Override
    public final boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
        return type.isInstance(target) && has(type.cast(target), name);
    }

    @Override
    public final TypedValue read(EvaluationContext context, @Nullable Object target, String name)
            throws AccessException {
        if (type.isInstance(target)) {
            return new TypedValue(get(type.cast(target), name));
        }
        throw new AccessException("no " + type.getSimpleName());
    }

    @Override
    public final boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
        return false;
    }

    @Override
    public final void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object newValue)
            throws AccessException {
        throw new AccessException("expressions of a rate limit cannot assign");
    }
}

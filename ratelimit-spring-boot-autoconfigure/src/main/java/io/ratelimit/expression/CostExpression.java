package io.ratelimit.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Says how many permits a request takes. */
public final class CostExpression {

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final CompiledExpression source;

    private final long constant;

    CostExpression(CompiledExpression source) {
        this.source = source;
        this.constant = source.traits().isConstant() ? constant() : -1;
    }

    /**
     * Computes the cost.
     *
     * @param scope request and arguments
     * @return the number of permits, 0 or more; numbers beyond a long are {@link Long#MAX_VALUE}
     * @throws IllegalStateException if the expression gives no integer or a negative one
     * @throws RuntimeException if the expression throws
     */
    public long evaluate(EvaluationScope scope) {
        return constant >= 0 ? constant : toCost(source.evaluate(scope, null));
    }

    /** {@return the cost if it is the same for every request} */
    public OptionalLong fixed() {
        return constant >= 0 ? OptionalLong.of(constant) : OptionalLong.empty();
    }

    /** {@return whether the cost depends on who is authenticated} */
    public boolean usesPrincipal() {
        return source.traits().usesPrincipal();
    }

    /**
     * Tells whose mistake a failure is.
     *
     * @param failure what {@link #evaluate} threw
     * @return whether it is to be put down to what the client sent
     */
    public boolean blamesClient(RuntimeException failure) {
        return Blame.isOnClient(source.traits(), source.traits().callsBean(), failure);
    }

    /** {@return the expression as it was written} */
    public String text() {
        return source.text();
    }

    private long constant() {
        Object value;
        try {
            value = source.expression().getValue();
        } catch (RuntimeException e) {
            throw new InvalidExpressionException(
                    "cost '%s' cannot be computed (%s)".formatted(text(), e.getMessage()), "use a whole number");
        }
        try {
            return toCost(value);
        } catch (IllegalStateException e) {
            throw new InvalidExpressionException(
                    e.getMessage(), "use 0 to look without charging, or a positive whole number");
        }
    }

    private long toCost(@Nullable Object value) {
        BigInteger cost = toInteger(value);
        if (cost == null) {
            throw new InvalidResultException("cost '%s' gave %s, which is no whole number"
                    .formatted(text(), InvalidResultException.quoted(source.traits(), value)));
        }
        if (cost.signum() < 0) {
            throw new InvalidResultException("cost '%s' gave %s, which is negative"
                    .formatted(text(), InvalidResultException.quoted(source.traits(), cost)));
        }
        return cost.min(LARGEST).longValue();
    }

    private static @Nullable BigInteger toInteger(@Nullable Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return BigInteger.valueOf(((Number) value).longValue());
        }
        if (!(value instanceof Number)) {
            return null;
        }
        try {
            return new BigDecimal(value.toString()).toBigIntegerExact();
        } catch (ArithmeticException | NumberFormatException e) {
            return null;
        }
    }
}

package io.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.util.ReflectionUtils;

class CostExpressionTests {

    private static final CallParameters PARAMETERS =
            CallParameters.of(ReflectionUtils.findMethod(Methods.class, "of", Object.class));

    private final ExpressionCompiler compiler = new ExpressionCompiler(null, null);

    @Test
    void constantsAreKnownAtStartUp() {
        assertThat(compiler.cost("3", PARAMETERS).fixed()).hasValue(3);
        assertThat(compiler.cost("2 * 3", PARAMETERS).fixed()).hasValue(6);
        assertThat(compiler.cost("0", PARAMETERS).fixed()).hasValue(0);
        assertThat(compiler.cost("#value", PARAMETERS).fixed()).isEmpty();
        assertThatThrownBy(() -> compiler.cost("-1", PARAMETERS))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessage("cost '-1' gave -1, which is negative; use 0 to look without charging, or a positive whole"
                        + " number");
        assertThatThrownBy(() -> compiler.cost("1.5", PARAMETERS))
                .hasMessageStartingWith("cost '1.5' gave 1.5, which is no whole number");
    }

    @Test
    void wholeNumbersOfAnyTypeAreCosts() {
        assertThat(cost("#value", 7)).isEqualTo(7);
        assertThat(cost("#value", (short) 7)).isEqualTo(7);
        assertThat(cost("#value", 7.0)).isEqualTo(7);
        assertThat(cost("#value", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(cost("#value", BigInteger.TEN.pow(30))).isEqualTo(Long.MAX_VALUE);
        assertThat(cost("#value.size()", List.of("a", "b"))).isEqualTo(2);
    }

    @Test
    void anythingElseIsAClearError() {
        assertThatThrownBy(() -> cost("#value", -1)).hasMessage("cost '#value' gave -1, which is negative");
        assertThatThrownBy(() -> cost("#value", Long.MIN_VALUE))
                .hasMessage("cost '#value' gave -9223372036854775808, which is negative");
        for (Object wrong : Arrays.asList(1.5, Double.NaN, "3", null, true)) {
            assertThatThrownBy(() -> cost("#value", wrong))
                    .hasMessage(
                            "cost '#value' gave %s, which is no whole number", wrong instanceof String ? "'3'" : wrong);
        }
    }

    private long cost(String expression, Object value) {
        return compiler.cost(expression, PARAMETERS)
                .evaluate(EvaluationScope.ofCall(PARAMETERS, new Object[] {value}, CurrentRequest.none()));
    }

    interface Methods {

        void of(Object value);
    }
}

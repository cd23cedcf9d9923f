package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.expression.FixedRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose mistake it is that a cost or a policy cannot be computed. */
class EvaluationFailureTests {

    private static final LimitText FIVE = LimitText.of("5", "1m", "fixed-window");

    private final Enforcing room =
            new Enforcing().policy("FREE", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1)));

    private final FixedRequest request = FixedRequest.from("203.0.113.7").with("n", "x");

    /** Beans of an application. */
    public static class Prices {

        public long parsed(String text) {
            return Long.parseLong(text);
        }

        public long stored(String text) {
            throw new IllegalStateException("the database is down");
        }

        public String plan(String text) {
            return "plan of " + text;
        }

        public String storedPlan(String text) {
            throw new IllegalStateException("the database is down");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "T(Long).parseLong(header('n'))          | true",
                "header('missing').length()              | true",
                "header('n')                             | true",
                "0 - header('n').length()                | true",
                "path.substring(100).length()            | true",
                "@prices.parsed(header('n'))             | true",
                "@prices.stored(header('n'))             | false",
                "@prices.stored('n')                     | false",
                "@prices.parsed('n')                     | false",
                "principal.name.length()                 | false",
            })
    void aCostFailsOnWhatItReads(String cost, boolean causedByRequest) {
        room.beans.registerSingleton("prices", new Prices());
        LimitSpec spec =
                room.factory().create(LimitDeclaration.ofRule("c").limit(FIVE).cost(cost));

        assertThat(failure(spec).causedByRequest()).isEqualTo(causedByRequest);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#{header('n')}                          | true",
                "#{header('missing')}                    | true",
                "#{@prices.plan(header('n'))}            | true",
                "#{@prices.storedPlan(header('n'))}      | false",
                "#{@prices.plan('n')}                    | false",
                "#{principal?.name}                      | false",
            })
    void aPolicyFailsOnWhatItReads(String policy, boolean causedByRequest) {
        room.beans.registerSingleton("prices", new Prices());
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("p").policy(policy));

        assertThat(failure(spec).causedByRequest()).isEqualTo(causedByRequest);
    }

    @Test
    void aPolicyThatCannotBeLookedUpIsNotTheClientsMistake() {
        room.resolvers.add(name -> {
            throw new IllegalStateException("the database is down");
        });
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("p").policy("#{header('n')}"));

        assertThat(failure(spec).causedByRequest()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path.length() - 10                | c: cost 'path.length() - 10' gave -4, which is negative",
                "path + T(Character).toString(10)  | c: cost 'path + T(Character).toString(10)' gave '/items ', which is no whole number",
                "header('n')                       | c: cost 'header('n')' gave a value, which is no whole number",
                "0 - header('n').length()          | c: cost '0 - header('n').length()' gave a value, which is negative",
                "@prices.parsed(header('n'))       | c: cost '@prices.parsed(header('n'))' failed: NumberFormatException",
            })
    void aFailedCostNamesTheExpressionAndNoSecret(String cost, String message) {
        room.beans.registerSingleton("prices", new Prices());
        LimitSpec spec =
                room.factory().create(LimitDeclaration.ofRule("c").limit(FIVE).cost(cost));

        assertThat(failure(spec)).hasMessage("rule '" + message.replaceFirst("c:", "c':"));
    }

    @Test
    void longValuesAreCut() {
        LimitSpec spec =
                room.factory().create(LimitDeclaration.ofRule("p").policy("#{'%s' + path}".formatted("x".repeat(90))));

        assertThat(failure(spec).getMessage()).contains("gave '" + "x".repeat(64) + "...', which does not exist");
    }

    @Test
    void aPolicyOfAHeaderIsNotNamed() {
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("p").policy("#{header('n')}"));

        assertThat(failure(spec))
                .hasMessage("rule 'p': policy template '#{header('n')}' gave a value, which does not exist; "
                        + "define it in ratelimit.policies, or use one of FREE");
    }

    private RateLimitEvaluationException failure(LimitSpec spec) {
        return catchThrowableOfType(RateLimitEvaluationException.class, () -> room.enforce(request, spec));
    }
}

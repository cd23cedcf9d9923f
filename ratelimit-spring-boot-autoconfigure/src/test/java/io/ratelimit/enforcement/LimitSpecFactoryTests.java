package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitSpecFactoryTests {

    private static final LimitText FIVE = LimitText.of("5", "1m", "fixed-window");

    private final Enforcing room = new Enforcing()
            .policy("api", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1)))
            .policy("slow", Limit.of(Algorithm.LEAKY_BUCKET, 1, Duration.ofSeconds(1)));

    @ParameterizedTest
    @CsvSource({"30s,30000000", "1m,60000000", "1h,3600000000", "1d,86400000000", "PT30S,30000000"})
    void windowsAreDurations(String text, long micros) {
        assertThat(LimitText.of("5", text, null).parse("rule 'x'"))
                .isEqualTo(Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, micros));
    }

    @Test
    void bucketsHaveTheirOwnWords() {
        assertThat(new LimitText("5", "1s", "Leaky_Bucket", "10", "2", "false", "3s").parse("x"))
                .isEqualTo(Limit.of(Algorithm.LEAKY_BUCKET, 5, Duration.ofSeconds(1))
                        .withBurst(10)
                        .withDelay(2)
                        .withMaxDelay(Duration.ofSeconds(3)));
        assertThat(new LimitText("5", "1s", "leaky-bucket", "10", null, "true", null)
                        .parse("x")
                        .nodelay())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "5   | 15x  | fixed-window | policy 'login': window '15x' is not a duration; use 15m or PT15M",
                "5   | 1min | fixed-window | policy 'login': window '1min' is not a duration; write 1m",
                "5   | 30 seconds | fixed-window | policy 'login': window '30 seconds' is not a duration; write 30s",
                "5   | 2hrs | fixed-window | policy 'login': window '2hrs' is not a duration; write 2h",
                "5   | 1Day | fixed-window | policy 'login': window '1Day' is not a duration; write 1d",
                "5   | 0s   | fixed-window | policy 'login': window '0s' is not positive; use 15m or PT15M",
                "5   | -1s  | fixed-window | policy 'login': window '-1s' is not positive; use 15m or PT15M",
                "5   |      | fixed-window | policy 'login': window is missing; write window = 1m",
                "    | 1m   | fixed-window | policy 'login': limit is missing; write limit = 100",
                "x   | 1m   | fixed-window | policy 'login': limit 'x' is no whole number; use a number from 0 to 1000000000000",
                "-5  | 1m   | fixed-window | policy 'login': limit -5 is out of range; use a number from 0 to 1000000000000",
                "5   | 1m   | fixed        | policy 'login': algorithm 'fixed' is unknown; use one of fixed-window, sliding-log, sliding-counter, token-bucket, leaky-bucket"
            })
    void wordsThatCannotBeReadNameTheThingTheValueAndTheRemedy(
            String limit, String window, String algorithm, String message) {
        assertThatThrownBy(() -> LimitText.of(limit, window, algorithm).parse("policy 'login'"))
                .isInstanceOf(RateLimitConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void aLimitNeedsExactlyOneSource() {
        assertFails(
                LimitDeclaration.ofRule("api"),
                "rule 'api': there is no limit; give a limit and a window, or the name of a policy");
        assertFails(
                LimitDeclaration.ofRule("api").policy("api").limit(FIVE),
                "rule 'api': policy 'api' and a limit are both given; remove one of them");
        assertFails(
                LimitDeclaration.ofRule("api").policy("gold"),
                "rule 'api': policy 'gold' does not exist; add ratelimit.policies.gold, or use one of api, slow");
    }

    @Test
    void expressionsAreCheckedWithTheirAttribute() {
        assertFails(
                LimitDeclaration.ofRule("api").limit(FIVE).condition("result == null"),
                "rule 'api': condition 'result == null' uses result, which exists only after the call; move it to"
                        + " countWhen");
        assertFails(
                LimitDeclaration.ofCode("method A.b", "A.b")
                        .limit(FIVE)
                        .policy("")
                        .cost("#n"),
                "method A.b: cost '#n' uses #n, but there is no such argument; "
                        + "there are no arguments here, only ip, principal, header('X'), path, method and request");
        assertFails(
                LimitDeclaration.ofRule("api").policy("#{@plans.of(user)}"),
                "rule 'api': policy '#{@plans.of(user)}' uses user, which does not exist; use one of ip, method, path,"
                        + " principal, request, or #name for an argument");
        assertFails(
                LimitDeclaration.ofRule("api").limit(FIVE).countWhen("#x"),
                "rule 'api': countWhen '#x' uses #x, but there is no such argument; "
                        + "there are no arguments here, only ip, principal, header('X'), path, method and request");
    }

    @Test
    void aStaticCostAboveTheCapacityNeverStarts() {
        assertFails(
                LimitDeclaration.ofRule("api").limit(FIVE).cost("6"),
                "rule 'api': cost '6' is above 5, the most that the limit can ever admit at once; lower the cost, or"
                        + " raise limit or burst");
        assertFails(
                LimitDeclaration.ofRule("api").policy("slow").cost("2"),
                "rule 'api': cost '2' is above 1, the most that the limit can ever admit at once; lower the cost, or"
                        + " raise limit or burst");
        assertThat(room.rule("closed", LimitText.of("0", "1m", null)).limits())
                .containsExactly(Limit.of(Algorithm.TOKEN_BUCKET, 0, Duration.ofMinutes(1)));
    }

    @Test
    void oneNameMeansOneSetOfLimits() {
        LimitSpecFactory factory = room.factory();
        factory.create(LimitDeclaration.ofRule("api").limit(FIVE));
        factory.create(LimitDeclaration.ofCode("method A.b", "A.b").name("api").policy("api"));

        assertThatThrownBy(() -> factory.create(LimitDeclaration.ofCode("method A.c", "A.c")
                        .name("api")
                        .limit(LimitText.of("6", "1m", "fixed-window"))))
                .hasMessage("method A.c: name 'api' is already used by rule 'api' with other limits; give both the same"
                        + " limits, or one of them another name");
        assertThat(room.registry.specs("api")).hasSize(2);
    }

    @Test
    void namesOnTheWireComeFromNameRuleOrPolicyAndNeverFromACodeName() {
        LimitSpecFactory factory = room.factory();

        assertThat(factory.create(LimitDeclaration.ofRule("r").limit(FIVE)).wireName())
                .isEqualTo("r");
        assertThat(factory.create(LimitDeclaration.ofCode("method A.b", "A.b").policy("api")))
                .satisfies(spec -> assertThat(spec.wireName()).isEqualTo("api"))
                .satisfies(spec -> assertThat(spec.bucket()).isEqualTo("A.b"));
        assertThat(factory.create(LimitDeclaration.ofCode("method A.c", "A.c").limit(FIVE))
                        .wireName())
                .isEqualTo("default");
        assertFails(
                LimitDeclaration.ofRule("\u00e4pi").limit(FIVE),
                "rule '\u00e4pi': name '\u00e4pi' cannot stand in a header; use letters, digits and signs of ASCII");
    }

    @Test
    void rulesThatNeedThePrincipalDecideAfterSecurity() {
        LimitSpecFactory factory = room.factory();

        assertThat(phase(factory, LimitDeclaration.ofRule("a").limit(FIVE))).isEqualTo(Phase.AFTER_SECURITY);
        assertThat(phase(factory, LimitDeclaration.ofRule("b").limit(FIVE).key("ip")))
                .isEqualTo(Phase.BEFORE_SECURITY);
        assertThat(phase(
                        factory,
                        LimitDeclaration.ofRule("c").limit(FIVE).key("ip").condition("principal == null")))
                .isEqualTo(Phase.AFTER_SECURITY);
        assertThat(phase(factory, LimitDeclaration.ofRule("d").key("ip").policy("x-#{ip}-#{@p.of(principal)}")))
                .isEqualTo(Phase.AFTER_SECURITY);
        assertThat(phase(factory, LimitDeclaration.ofRule("e").limit(FIVE).phase(Phase.BEFORE_SECURITY)))
                .isEqualTo(Phase.BEFORE_SECURITY);
    }

    @Test
    void policiesAreCheckedBeforeAnyoneUsesThem() {
        room.policies.put(
                "login",
                new PolicyDefinition(
                        Policy.of("login", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1))),
                        "state == 401"));

        assertThatThrownBy(room::factory)
                .hasMessage("policy 'login': countWhen 'state == 401' uses state, which does not exist; use one of"
                        + " error, ip, method, path, principal, request, result, status, or #name for an argument");
    }

    private static Phase phase(LimitSpecFactory factory, LimitDeclaration declaration) {
        return factory.create(declaration).phase();
    }

    private void assertFails(LimitDeclaration declaration, String message) {
        LimitSpecFactory factory = room.factory();
        assertThatThrownBy(() -> factory.create(declaration))
                .isInstanceOf(RateLimitConfigurationException.class)
                .hasMessage(message);
    }
}

package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Changes of limits among each other: what survives which. */
class LiveLimitsTests {

    private static final LiveLimits.Place BAD = factory -> {
        throw new RateLimitConfigurationException("rule 'x'", "it is bad", "mend it");
    };

    private final Enforcing room = new Enforcing().policy("api", limit(5)).policy("login", limit(5));

    private final PolicyRegistry policies = room.policyRegistry();

    private final LimitSpecFactory factory = room.factory();

    private final LiveLimits live =
            new LiveLimits(policies, room.registry, factory, () -> configuration(room.policies));

    @Test
    void replacedPolicySurvivesTheChangeOfAnotherAndAReload() {
        policies.replace("api", definition("api", 100));
        policies.replace("added", definition("added", 200));

        live.change("login", old -> List.of(limit(7)));
        assertThat(limits("api")).containsExactly(limit(100));
        assertThat(limits("added")).containsExactly(limit(200));
        assertThat(limits("login")).containsExactly(limit(7));

        live.apply(configuration(Map.of("api", definition("api", 6))));
        assertThat(limits("api")).containsExactly(limit(100));
        assertThat(limits("added")).containsExactly(limit(200));
        assertThat(policies.names()).containsExactly("added", "api");
    }

    @Test
    void changeOfAReplacedPolicyIsInForceAndStays() {
        policies.replace("api", definition("api", 100));

        assertThat(live.change("api", old -> List.of(limit(old.get(0).limit() / 2))))
                .containsExactly(limit(50));
        assertThat(limits("api")).containsExactly(limit(50));

        live.apply(configuration(room.policies));
        assertThat(limits("api")).containsExactly(limit(50));
    }

    @Test
    void refusedChangeOfAReplacedPolicyChangesNothing() {
        policies.replace("api", definition("api", 100));
        LiveLimits refusing = new LiveLimits(policies, room.registry, factory, () -> configuration(room.policies, BAD));

        assertThatThrownBy(() -> refusing.change("api", old -> List.of(limit(50))))
                .hasMessage("rule 'x': it is bad; mend it");

        assertThat(limits("api")).containsExactly(limit(100));
    }

    @Test
    void policyThatIsReplacedAfterAChangeWins() {
        live.change("api", old -> List.of(limit(7)));
        policies.replace("api", definition("api", 100));

        live.change("login", old -> List.of(limit(8)));

        assertThat(limits("api")).containsExactly(limit(100));
    }

    @Test
    void policyThatIsReplacedDuringAReloadWins() {
        live.apply(configuration(room.policies, factory -> {
            policies.replace("api", definition("api", 100));
            return () -> {};
        }));

        assertThat(limits("api")).containsExactly(limit(100));
    }

    @Test
    void refusedReloadBringsNoDroppedChangeBack() {
        live.apply(configuration(room.policies, rule("5")));
        live.change("r", old -> List.of(limit(50)));
        assertThatThrownBy(() -> live.apply(configuration(room.policies, rule("5"), BAD)))
                .isInstanceOf(RateLimitConfigurationException.class);

        live.apply(configuration(room.policies, rule("6")));
        live.apply(configuration(room.policies, rule("5")));

        assertThat(room.registry.specs("r").get(0).limits()).containsExactly(limit(5));
    }

    @Test
    void requestUnderWayMeetsThePolicyOfItsRuleAfterItIsRemoved() {
        LimitSpec matched = factory.create(LimitDeclaration.ofRule("r").policy("api"));

        live.apply(configuration(Map.of()));

        assertThat(policies.find("api")).isEmpty();
        assertThat(matched.limits()).containsExactly(limit(5));
    }

    private List<Limit> limits(String policy) {
        return policies.require(policy).policy().limits();
    }

    private static LiveLimits.Place rule(String permits) {
        return factory -> {
            factory.create(LimitDeclaration.ofRule("r").limit(LimitText.of(permits, "1m", "fixed-window")));
            return () -> {};
        };
    }

    private static LiveLimits.Configuration configuration(
            Map<String, PolicyDefinition> policies, LiveLimits.Place... places) {
        return new LiveLimits.Configuration(
                policies, LimitSpecFactory.DEFAULT_KEY, LimitSpecFactory.Mode.ENFORCE, List.of(places));
    }

    private static PolicyDefinition definition(String name, long permits) {
        return PolicyDefinition.of(Policy.of(name, limit(permits)));
    }

    private static Limit limit(long permits) {
        return Limit.ofMicros(Algorithm.FIXED_WINDOW, permits, 60_000_000);
    }
}

package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.expression.FixedRequest;
import io.ratelimit.expression.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EnforcerTests {

    private static final LimitText TWO = LimitText.of("2", "1m", "fixed-window");

    private static final LimitText FIVE = LimitText.of("5", "1m", "fixed-window");

    private final Enforcing room = new Enforcing();

    private final FixedRequest request = FixedRequest.from("203.0.113.7");

    @Test
    void limitsOfOneRequestAreChargedTogetherOrNotAtAll() {
        LimitSpec small = room.rule("small", TWO);
        LimitSpec large = room.rule("large", FIVE);

        for (int i = 0; i < 4; i++) {
            assertThat(room.enforce(request, large, small).refused()).isEqualTo(i >= 2);
        }

        Enforcement alone = room.enforce(request, large);
        assertThat(alone.charges().get(0).decision().remaining()).isEqualTo(2);
    }

    @Test
    void refusalNamesTheLimitsThatRefused() {
        LimitSpec small = room.rule("small", LimitText.of("0", "1m", null));
        Enforcement refused = room.enforce(request, room.rule("large", FIVE), small);

        assertThat(refused.toException().violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.name()).isEqualTo("small"));
        assertThat(refused.toException().retryAfterMicros()).isEqualTo(Decision.NEVER);
        assertThat(refused.charges()).hasSize(2);
    }

    @Test
    void conditionsExceptRequestsAndFailuresDoNot() {
        LimitSpec conditional =
                room.factory().create(LimitDeclaration.ofRule("c").limit(TWO).condition("principal?.name != 'admin'"));
        LimitSpec failing =
                room.factory().create(LimitDeclaration.ofRule("f").limit(TWO).condition("principal.name == 'x'"));

        assertThat(room.enforce(request.as("admin"), conditional).charges()).isEmpty();
        assertThat(room.enforce(request, conditional).charges()).hasSize(1);
        assertThat(room.enforce(request, failing).charges()).hasSize(1);
    }

    @Test
    void costZeroLooksOnlyAndCostAboveCapacityNeverPasses() {
        LimitSpec spec = room.factory()
                .create(LimitDeclaration.ofRule("c").limit(FIVE).cost("request.headers()['n'] == null ? 0 : 6"));

        assertThat(decision(room.enforce(request, spec)).remaining()).isEqualTo(5);
        Decision above = decision(room.enforce(request.with("n", "1"), spec));
        assertThat(above.allowed()).isFalse();
        assertThat(above.retryAfterMicros()).isEqualTo(Decision.NEVER);
        assertThat(decision(room.enforce(request, spec)).remaining()).isEqualTo(5);
    }

    @Test
    void costThatIsNoNumberIsAnErrorThatNamesTheRule() {
        LimitSpec spec =
                room.factory().create(LimitDeclaration.ofRule("c").limit(FIVE).cost("path.length() - 10"));

        assertThatThrownBy(() -> room.enforce(request, spec))
                .isInstanceOf(RateLimitEvaluationException.class)
                .hasMessage("rule 'c': cost 'path.length() - 10' gave -4, which is negative");
    }

    @Test
    void missingKeyFollowsTheSetting() {
        LimitDeclaration[] declarations = {
            LimitDeclaration.ofRule("empty").limit(TWO).key("principal?.name"),
            LimitDeclaration.ofRule("throws").limit(TWO).key("principal.name")
        };
        for (LimitDeclaration declaration : declarations) {
            LimitSpec spec = room.factory().create(declaration);
            room.missingKey = MissingKey.CLIENT_IP;
            assertThat(room.enforce(request, spec).charges().get(0).key())
                    .isEqualTo(new PartitionKey("ip:203.0.113.7", false));
            room.missingKey = MissingKey.SKIP;
            assertThat(room.enforce(request, spec).charges()).isEmpty();
            room.missingKey = MissingKey.DENY;
            assertThat(decision(room.enforce(request, spec)).allowed()).isFalse();
            assertThat(decision(room.enforce(request, spec)).retryAfterMicros()).isEqualTo(Decision.NEVER);
            assertThat(room.enforce(request, spec).toException().unavailable()).isFalse();
        }
    }

    @Test
    void aDeniedRequestIsChargedNowhere() {
        room.missingKey = MissingKey.DENY;
        LimitSpec keyed =
                room.factory().create(LimitDeclaration.ofRule("k").limit(TWO).key("principal?.name"));
        LimitSpec open = room.rule("open", FIVE);

        assertThat(room.enforce(request, open, keyed).refused()).isTrue();
        assertThat(decision(room.enforce(request, open)).remaining()).isEqualTo(4);
    }

    @Test
    void outsideARequestEachLimitHasOneBucket() {
        LimitSpec one = room.rule("one", TWO);
        LimitSpec other = room.rule("other", TWO);

        assertThat(room.call(one).charges().get(0).key()).isEqualTo(PartitionKey.NO_REQUEST);
        room.call(one);
        assertThat(room.call(one).refused()).isTrue();
        assertThat(room.call(other).refused()).isFalse();
    }

    @Test
    void shadowLimitsDecideForThemselves() {
        LimitSpec shadow =
                room.factory().create(LimitDeclaration.ofRule("s").limit(TWO).shadow(true));
        LimitSpec real = room.rule("r", LimitText.of("3", "1m", "fixed-window"));
        List<Charge.Outcome> outcomes = new ArrayList<>();

        for (int i = 0; i < 5; i++) {
            Enforcement enforcement = room.enforce(request, real, shadow);
            assertThat(enforcement.charges()).hasSize(1);
            enforcement.shadowCharges().forEach(charge -> outcomes.add(charge.outcome()));
        }

        assertThat(outcomes)
                .containsExactly(Charge.Outcome.ALLOWED, Charge.Outcome.ALLOWED, Charge.Outcome.SHADOW_REJECTED);
    }

    @Test
    void aShadowLimitThatFailsHarmsNobody() {
        LimitSpec shadow = room.factory()
                .create(LimitDeclaration.ofRule("s")
                        .policy("#{@plans.of(principal)}")
                        .shadow(true));

        assertThat(room.enforce(request, shadow, room.rule("r", TWO)).refused()).isFalse();
    }

    @Test
    void allLimitsMayBeShadows() {
        room.mode = LimitSpecFactory.Mode.SHADOW;

        assertThat(room.enforce(request, room.rule("r", LimitText.of("0", "1m", null)))
                        .refused())
                .isFalse();
    }

    @Test
    void aPlanIsChosenForEachRequestAndCountsUnderTheRulesName() {
        room.policy("FREE", Limit.of(Algorithm.FIXED_WINDOW, 2, Duration.ofMinutes(1)))
                .policy("PRO", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1)));
        Plans plans = new Plans();
        room.beans.registerSingleton("plans", plans);
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("api").policy("#{@plans.of(principal)}"));

        room.enforce(request.as("alice"), spec);
        room.enforce(request.as("alice"), spec);
        assertThat(room.enforce(request.as("alice"), spec).refused()).isTrue();
        plans.plan = "PRO";
        Charge upgraded = room.enforce(request.as("alice"), spec).charges().get(0);

        assertThat(upgraded.wireName()).isEqualTo("api");
        assertThat(upgraded.decision().policy().name()).isEqualTo("api");
        assertThat(upgraded.decision().remaining()).isEqualTo(2);
        assertThat(room.enforce(request.as("alice"), spec)
                        .charges()
                        .get(0)
                        .decision()
                        .policy())
                .isSameAs(upgraded.decision().policy());
    }

    @Test
    void aPlanThatFailsGivesAClearErrorAndNoUnlimitedAccess() {
        room.policy("FREE", Limit.of(Algorithm.FIXED_WINDOW, 2, Duration.ofMinutes(1)));
        Plans plans = new Plans();
        room.beans.registerSingleton("plans", plans);
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("api").policy("#{@plans.of(principal)}"));

        plans.plan = null;
        assertThatThrownBy(() -> room.enforce(request, spec))
                .hasMessage(
                        "rule 'api': policy template '#{@plans.of(principal)}' gave nothing; let it give the name of a policy");
        plans.plan = "GOLD";
        assertThatThrownBy(() -> room.enforce(request, spec))
                .isInstanceOf(RateLimitEvaluationException.class)
                .hasMessage("rule 'api': policy template '#{@plans.of(principal)}' gave 'GOLD', which does not exist; "
                        + "define it in ratelimit.policies, or use one of FREE");
        plans.plan = "boom";
        assertThatThrownBy(() -> room.enforce(request, spec))
                .isInstanceOf(RateLimitEvaluationException.class)
                .hasMessageStartingWith("rule 'api': ")
                .hasStackTraceContaining("plans are closed");
    }

    @Test
    void limitsFromResolversAreKeptForAMinute() {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger limit = new AtomicInteger(2);
        room.resolvers.add(name -> {
            asked.incrementAndGet();
            return name.equals("db")
                    ? Optional.of(Policy.of("db", Limit.of(Algorithm.FIXED_WINDOW, limit.get(), Duration.ofDays(1))))
                    : Optional.empty();
        });
        LimitSpec spec = room.factory().create(LimitDeclaration.ofRule("api").policy("db"));

        assertThat(decision(room.enforce(request, spec)).remaining()).isEqualTo(1);
        limit.set(10);
        assertThat(decision(room.enforce(request, spec)).remaining()).isZero();
        assertThat(asked).hasValue(1);
        room.time.advance(Duration.ofSeconds(60));
        assertThat(decision(room.enforce(request, spec)).remaining()).isEqualTo(7);
        assertThat(asked).hasValue(2);
        assertThatThrownBy(() -> room.policyRegistry().require("other"))
                .hasMessage("there is no policy 'other'; add ratelimit.policies.other");
    }

    @Test
    void policyChangesWhileRunningAndKeepsItsCounts() {
        room.policy("api", Limit.of(Algorithm.FIXED_WINDOW, 2, Duration.ofMinutes(1)));
        LimitSpec named = room.factory().create(LimitDeclaration.ofRule("named").policy("api"));
        room.enforce(request, named);
        Limit larger = Limit.of(Algorithm.FIXED_WINDOW, 10, Duration.ofMinutes(1));

        room.policyRegistry().replace("api", PolicyDefinition.of(Policy.of("api", larger)));

        assertThat(decision(room.enforce(request, named)).remaining()).isEqualTo(8);
    }

    @Test
    void whoFindsTheWaitingRoomFullIsRefusedForASecondAndLeavesNoTrace() {
        Enforcing crowded = new Enforcing(1);
        LimitSpec spec = crowded.rule("q", new LimitText("1", "1s", "leaky-bucket", "10", null, null, null));
        crowded.enforce(request, spec);

        Enforcement waiting = crowded.enforce(request, spec);
        Enforcement full = crowded.enforce(request, spec);

        assertThat(waiting.delayMicros()).isEqualTo(1_000_000);
        assertThat(full.refused()).isTrue();
        assertThat(full.delayMicros()).isZero();
        assertThat(full.toException().retryAfterMicros()).isEqualTo(1_000_000);
        assertThat(crowded.waitingRoom.waiting("q")).isEqualTo(1);
        assertThat(waiting.abandon()).isTrue();
        assertThat(waiting.abandon()).isFalse();
        assertThat(crowded.waitingRoom.waiting("q")).isZero();
        assertThat(crowded.enforce(request, spec).delayMicros()).isEqualTo(1_000_000);
    }

    @Test
    void listenersLearnOfDecisionsAndFailures() {
        List<String> seen = new ArrayList<>();
        room.listeners.add(new EnforcementListener() {
            @Override
            public void decided(Enforcement enforcement) {
                seen.add(enforcement.charges().get(0).outcome().name());
            }

            @Override
            public void failed(LimitSpec spec, RuntimeException error) {
                seen.add("failed " + spec);
            }
        });
        LimitSpec spec = room.rule("r", LimitText.of("1", "1m", null));
        LimitSpec wrong =
                room.factory().create(LimitDeclaration.ofRule("w").limit(FIVE).cost("path"));

        room.enforce(request, spec);
        room.enforce(request, spec);
        assertThatThrownBy(() -> room.enforce(request, wrong)).isInstanceOf(RateLimitEvaluationException.class);

        assertThat(seen).containsExactly("ALLOWED", "REJECTED", "failed rule 'w'");
    }

    @Test
    void aConstantKeyAndCostNeedNoRequest() {
        LimitSpec spec =
                room.factory().create(LimitDeclaration.ofRule("all").limit(TWO).key("'all'"));

        assertThat(room.call(spec).charges().get(0).key()).isEqualTo(new PartitionKey("all", false));
    }

    private static Decision decision(Enforcement enforcement) {
        return enforcement.charges().get(0).decision();
    }

    public static final class Plans {

        private String plan = "FREE";

        public String of(Object principal) {
            if ("boom".equals(plan)) {
                throw new IllegalStateException("plans are closed");
            }
            return plan;
        }
    }
}

package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.FixedRequest;
import io.ratelimit.expression.Outcome;
import io.ratelimit.expression.PartitionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class SettlementTests {

    private static final LimitText FIVE = LimitText.of("5", "1m", "fixed-window");

    private final Enforcing room = new Enforcing();

    private final FixedRequest request = FixedRequest.from("203.0.113.7");

    @Test
    void aCallCountsOnlyIfTheExpressionIsTrue() {
        LimitSpec spec = spec("result == 'failed'");

        call(spec).returned("ok");
        assertThat(remaining(spec)).isEqualTo(5);
        call(spec).returned("failed");
        assertThat(remaining(spec)).isEqualTo(4);
        call(spec).returned(null);
        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void errorsAreSeenWithoutTheirWrapping() {
        LimitSpec spec = spec("error instanceof T(IllegalStateException)");

        call(spec).threw(new CompletionException(new IllegalStateException()));
        assertThat(remaining(spec)).isEqualTo(4);
        call(spec).threw(new IllegalArgumentException());
        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void aTimeoutCountsAndSoDoesAnExpressionThatFails() {
        LimitSpec spec = spec("false");
        call(spec).threw(new TimeoutException());
        assertThat(remaining(spec)).isEqualTo(4);

        LimitSpec failing = room.factory()
                .create(LimitDeclaration.ofRule("failing").limit(FIVE).countWhen("result.length() > 1"));
        call(failing).returned(null);
        assertThat(remaining(failing)).isEqualTo(4);
    }

    @Test
    void policyOfAResolverHasAWordToo() {
        Policy policy = Policy.of("db", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofDays(1)));
        room.resolvers.add(new PolicyResolver() {
            @Override
            public Optional<Policy> resolve(String name) {
                return Optional.of(policy);
            }

            @Override
            public Optional<PolicyDefinition> define(String name) {
                return Optional.of(new PolicyDefinition(policy, "result == 'failed'"));
            }
        });
        LimitSpec spec = room.factory()
                .create(LimitDeclaration.ofRule("login").policy("db").key("'x'"));

        call(spec).returned("ok");
        assertThat(remaining(spec)).isEqualTo(5);
        call(spec).returned("failed");
        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void whoNeverReportsCounts() {
        LimitSpec spec = spec("result == 'failed'");

        assertThat(call(spec).awaitsOutcome()).isTrue();

        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void outsideARequestAnErrorIsStatus500() {
        LimitSpec spec = spec("status == 500");

        call(spec).returned("x");
        assertThat(remaining(spec)).isEqualTo(5);
        call(spec).threw(new IllegalStateException());
        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void statusIsDecidedWhenTheRequestCompletes() {
        room.ledger = new RequestLedger();
        LimitSpec spec = spec("status == 401");

        room.enforce(request, spec);
        Enforcement call = call(spec);
        call.returned("x");
        assertThat(remaining(spec)).isEqualTo(3);
        room.ledger.complete(200, null);

        assertThat(remaining(spec)).isEqualTo(5);
    }

    @Test
    void anExceptionThatEscapesIs500() {
        room.ledger = new RequestLedger();
        LimitSpec spec = spec("status == 500 and error != null");

        room.enforce(request, spec);
        room.ledger.complete(200, new IllegalStateException());

        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void aRequestThatTimesOutCounts() {
        room.ledger = new RequestLedger();
        LimitSpec spec = spec("status == 401");

        room.enforce(request, spec);
        room.ledger.timedOut();
        room.ledger.complete(503, null);

        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void aCallThatOutlivesItsRequestIsSettledWhenItEnds() {
        room.ledger = new RequestLedger();
        LimitSpec spec = spec("status == 200 and result == 'failed'");

        Enforcement failed = call(spec);
        Enforcement passed = call(spec);
        room.ledger.complete(200, null);
        assertThat(remaining(spec)).isEqualTo(3);
        failed.returned("failed");
        passed.returned("ok");

        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void workHandedToTheWebFrameworkEndsWithTheRequest() {
        room.ledger = new RequestLedger();
        LimitSpec spec = spec("result == 'failed'");

        call(spec).endsWithRequest(() -> Outcome.returned("failed"));
        call(spec).endsWithRequest(() -> Outcome.returned("ok"));
        room.ledger.complete(200, null);

        assertThat(remaining(spec)).isEqualTo(4);
    }

    @Test
    void aPolicyBringsItsOwnExpressionUnlessTheLimitHasOne() {
        room.policies.put(
                "login",
                new PolicyDefinition(
                        Policy.of("login", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1))),
                        "status == 401"));
        LimitSpec inherited = room.factory().create(LimitDeclaration.ofRule("a").policy("login"));
        LimitSpec own = room.factory()
                .create(LimitDeclaration.ofRule("b").policy("login").countWhen("status == 200"));
        room.ledger = new RequestLedger();

        room.enforce(request, inherited, own);
        room.ledger.complete(200, null);

        assertThat(remaining(inherited)).isEqualTo(5);
        assertThat(remaining(own)).isEqualTo(4);
    }

    @Test
    void refusalOfALaterPhaseGivesBackEverything() {
        room.ledger = new RequestLedger();
        LimitSpec shadow =
                room.factory().create(LimitDeclaration.ofRule("s").limit(FIVE).shadow(true));
        LimitSpec first = room.rule("first", FIVE);
        room.enforce(request, first, shadow);
        assertThat(room.enforce(request, room.rule("closed", LimitText.of("0", "1m", null)))
                        .refused())
                .isTrue();

        room.ledger.refund();
        room.ledger.refund();

        assertThat(room.ledger.charges()).hasSize(2);
        assertThat(remaining(first)).isEqualTo(5);
        assertThat(remaining(shadow)).isEqualTo(5);
    }

    @Test
    void theLedgerKnowsTheLongestWait() {
        room.ledger = new RequestLedger();
        LimitSpec spec = room.rule("q", new LimitText("1", "1s", "leaky-bucket", "10", null, null, null));
        room.enforce(request, spec, room.rule("r", FIVE));
        room.enforce(request, spec);
        room.enforce(request, spec);

        assertThat(room.ledger.delayMicros()).isEqualTo(2_000_000);
        assertThat(room.waitingRoom.waiting("q")).isEqualTo(2);
        room.ledger.doneWaiting();
        assertThat(room.ledger.delayMicros()).isZero();
        assertThat(room.waitingRoom.waiting("q")).isZero();
    }

    private LimitSpec spec(String countWhen) {
        return room.factory()
                .create(LimitDeclaration.ofRule("login").limit(FIVE).key("'x'").countWhen(countWhen));
    }

    private Enforcement call(LimitSpec spec) {
        return room.enforcer()
                .enforce(
                        List.of(spec),
                        EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none()));
    }

    private long remaining(LimitSpec spec) {
        Policy policy = new Policy(spec.bucket(), spec.limits(), null);
        return room.limiter().peek(policy, key(spec)).remaining();
    }

    private static String key(LimitSpec spec) {
        return switch (spec.bucket()) {
            case "login" -> "x";
            case "failing" -> PartitionKey.NO_REQUEST.text();
            default -> "ip:203.0.113.7";
        };
    }
}

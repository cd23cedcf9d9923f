package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResetsTests {

    private static final Policy POLICY = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, 1_000));

    private final List<Decision> givenBack = new ArrayList<>();

    private final Resets resets = new Resets((decision, wasReset) -> givenBack.add(decision));

    private Decision charged(Resets by) {
        return Decision.admitted(by.sinceNow(), POLICY, "alice", 1, 0, 0, 0, 0);
    }

    @Test
    void resetOfTheKeyOfItsPolicyOrOfAllEndsARefund() {
        Decision before = charged(resets);
        resets.reset("p", "alice");
        before.refund();
        before = charged(resets);
        resets.reset("p");
        before.refund();
        before = charged(resets);
        resets.reset();
        before.refund();
        assertThat(givenBack).isEmpty();
    }

    @Test
    void otherResetsDoNot() {
        Decision decision = charged(resets);
        resets.reset("p", "bob");
        resets.reset("q", "alice");
        resets.reset("q");
        decision.refund();
        assertThat(givenBack).containsExactly(decision);
    }

    @Test
    void resetWhileARefundIsUnderWayIsSeenByIt() {
        List<Boolean> seen = new ArrayList<>();
        Resets[] racing = new Resets[1];
        racing[0] = new Resets((decision, wasReset) -> {
            seen.add(wasReset.getAsBoolean());
            racing[0].reset("p", "alice");
            seen.add(wasReset.getAsBoolean());
        });
        charged(racing[0]).refund();
        assertThat(seen).containsExactly(false, true);
    }

    @Test
    void moreResetsThanAreRememberedEndARefund() {
        Decision remembered = charged(resets);
        Decision forgotten = charged(resets);
        for (int i = 0; i < 1 << 14; i++) {
            resets.reset("p", "user" + i);
        }
        remembered.refund();
        resets.reset("p", "one more");
        forgotten.refund();
        assertThat(givenBack).containsExactly(remembered);
    }
}

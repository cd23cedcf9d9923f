package io.ratelimit.enforcement;

import io.ratelimit.core.Decision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens between a decision that says "later" and the wait: a place in the waiting room, or a refusal. */
final class Queueing {

    private static final long SECOND_MICROS = 1_000_000;

    private Queueing() {}

    static boolean isRefused(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).decision().allowed()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the charge with the longest wait; {@code null} if nobody waits or the request is refused. */
    static @Nullable Charge slowest(List<Charge> charges) {
        Charge slowest = null;
        long longest = 0;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (charge.decision().delayMicros() > longest) {
                longest = charge.decision().delayMicros();
                slowest = charge;
            }
        }
        return slowest == null || isRefused(charges) ? null : slowest;
    }

    /** Takes a place for the charge; {@code null} if there is none. */
    static Enforcement.@Nullable WaitingPlace enter(WaitingRoom room, Charge slowest) {
        String bucket = slowest.spec().bucket();
        return room.tryEnter(bucket)
                ? new Enforcement.WaitingPlace(room, bucket, slowest.decision().delayMicros())
                : null;
    }

    /** Too many wait already: gives everything back, and asks to come again in a second. */
    static List<Charge> turnAway(List<Charge> charges) {
        List<Charge> refused = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            Decision decision = charge.decision();
            decision.refund();
            refused.add(decision.delayMicros() == 0 ? charge : turnedAway(charge, decision));
        }
        return refused;
    }

    private static Charge turnedAway(Charge charge, Decision decision) {
        long resetAfter = Math.min(decision.resetAfterMicros(), SECOND_MICROS);
        Decision refusal = Wish.refusal(
                decision.policy(), decision.key(), decision.cost(), decision.atMicros(), resetAfter, SECOND_MICROS);
        return new Charge(charge.spec(), charge.wireName(), charge.key(), refusal);
    }
}

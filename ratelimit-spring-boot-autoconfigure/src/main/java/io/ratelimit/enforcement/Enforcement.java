package io.ratelimit.enforcement;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.expression.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the limits of one request (in one phase) or of one call decided together, and what may still become of it: a
 * wait, a refund, a settlement. All methods may be called by any thread, and repeatedly.
 */
public final class Enforcement {

    private static final Enforcement NOTHING = new Enforcement(List.of(), List.of(), null, null);

    private final List<Charge> charges;

    private final List<Charge> shadows;

    private final @Nullable Settlement settlement;

    private final @Nullable WaitingPlace place;

    Enforcement(
            List<Charge> charges, List<Charge> shadows, @Nullable Settlement settlement, @Nullable WaitingPlace place) {
        this.charges = charges;
        this.shadows = shadows;
        this.settlement = settlement;
        this.place = place;
    }

    /** A taken place in the waiting room, left once. */
    static final class WaitingPlace {

        private final WaitingRoom room;

        private final String bucket;

        private final long delayMicros;

        private final AtomicBoolean left = new AtomicBoolean();

        WaitingPlace(WaitingRoom room, String bucket, long delayMicros) {
            this.room = room;
            this.bucket = bucket;
            this.delayMicros = delayMicros;
        }

        boolean leave() {
            boolean first = left.compareAndSet(false, true);
            if (first) {
                room.leave(bucket);
            }
            return first;
        }
    }

    static Enforcement nothing() {
        return NOTHING;
    }

    /** {@return the decisions of the limits that refuse, one each; empty if none applied} */
    public List<Charge> charges() {
        return charges;
    }

    /** {@return the decisions of shadow limits; empty if an enforcing limit refused} */
    public List<Charge> shadowCharges() {
        return shadows;
    }

    /** {@return whether the request must not run} */
    public boolean refused() {
        return Queueing.isRefused(charges);
    }

    /**
     * Describes the refusal.
     *
     * @return an exception with the limits that refused
     * @throws IllegalArgumentException if none did
     */
    public RateLimitExceededException toException() {
        return new RateLimitExceededException(violations());
    }

    /**
     * Describes the refusal to those who answer it at once.
     *
     * @return an exception without a stack trace, with the limits that refused
     * @throws IllegalArgumentException if none did
     */
    public RateLimitExceededException toAnswer() {
        return RateLimitExceededException.withoutStackTrace(violations());
    }

    private List<RateLimitExceededException.Violation> violations() {
        return charges.stream()
                .filter(charge -> !charge.decision().allowed())
                .map(Charge::violation)
                .toList();
    }

    /** {@return how long the request has to wait before it runs, in microseconds} */
    public long delayMicros() {
        return place == null ? 0 : place.delayMicros;
    }

    long pendingDelayMicros() {
        return place == null || place.left.get() ? 0 : place.delayMicros;
    }

    /** Frees the place in the waiting room, when the wait is over. */
    public void doneWaiting() {
        if (place != null) {
            place.leave();
        }
    }

    /** Gives back everything that was charged and not given back before, and frees the place in the waiting room. */
    public void refund() {
        doneWaiting();
        charges.forEach(charge -> charge.decision().refund());
        shadows.forEach(charge -> charge.decision().refund());
    }

    /**
     * Leaves the queue: does what {@link #refund()} does, if the wait is not over.
     *
     * @return whether it was not
     */
    public boolean abandon() {
        if (place == null || !place.leave()) {
            return false;
        }
        refund();
        return true;
    }

    /** {@return whether somebody has to report how the request ends} */
    public boolean awaitsOutcome() {
        return settlement != null;
    }

    /**
     * Reports that the call returned.
     *
     * @param result what it returned
     */
    public void returned(@Nullable Object result) {
        if (settlement != null) {
            settlement.ended(Outcome.returned(result));
        }
    }

    /**
     * Reports that the call threw, or failed later.
     *
     * @param error what it threw; a timeout counts whatever the expression says
     */
    public void threw(Throwable error) {
        if (settlement != null) {
            settlement.threw(error);
        }
    }

    /**
     * Reports that the call handed its work to the web framework, so that it ends with the request.
     *
     * @param outcome asked when the request is complete; empty result if the work has none
     */
    public void endsWithRequest(Supplier<Outcome> outcome) {
        if (settlement != null) {
            settlement.endsWithRequest(outcome);
        }
    }

    void completed(int status, @Nullable Throwable error) {
        if (settlement != null) {
            settlement.completed(status, error);
        }
    }

    /** Lets everything count that is not yet settled. */
    void keep() {
        if (settlement != null) {
            settlement.keep();
        }
    }
}

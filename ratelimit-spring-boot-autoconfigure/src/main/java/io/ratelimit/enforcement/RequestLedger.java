package io.ratelimit.enforcement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one HTTP request was charged so far, by the rules of both phases and by annotations. There is one for each
 * request, whatever its dispatches; the web layer keeps it with the request.
 */
public final class RequestLedger {

    /** Replaced and never changed; nearly always there is one, read several times. */
    private volatile List<Enforcement> entries = List.of();

    private volatile @Nullable Completion completion;

    /** Finds the ledger of the request that the current thread handles. */
    @FunctionalInterface
    public interface Access {

        /**
         * Returns the ledger.
         *
         * @return the ledger of the current request; empty on threads that handle none
         */
        Optional<RequestLedger> current();

        /**
         * Returns the access of an application without a web server.
         *
         * @return an access that never finds a ledger
         */
        static Access none() {
            return Optional::empty;
        }
    }

    private record Completion(int status, @Nullable Throwable error) {}

    /**
     * Returns what the enforcing limits decided, refusals included, for the headers.
     *
     * @return the decisions, in the order in which they were made
     */
    public List<Charge> charges() {
        List<Enforcement> known = entries;
        if (known.size() == 1) {
            return known.get(0).charges();
        }
        List<Charge> charges = new ArrayList<>();
        known.forEach(entry -> charges.addAll(entry.charges()));
        return charges;
    }

    /**
     * Returns how long the request has to wait before its handler runs.
     *
     * @return microseconds: the largest wait among those who are not yet {@linkplain #doneWaiting() done}
     */
    public long delayMicros() {
        long largest = 0;
        for (Enforcement entry : entries) {
            largest = Math.max(largest, entry.pendingDelayMicros());
        }
        return largest;
    }

    /** Frees the places of the waiting room, when the request has waited. */
    public void doneWaiting() {
        entries.forEach(Enforcement::doneWaiting);
    }

    /**
     * Gives back everything that was charged. To be called when the answer becomes a 429 (or 503), whichever limit
     * refused; a refusal that the application answers otherwise, by a fallback or by catching it, leaves the charges.
     */
    public void refund() {
        entries.forEach(Enforcement::refund);
    }

    /**
     * Settles every {@code countWhen} that is still open. To be called once, when the request is complete.
     *
     * @param status the status of the response; 500 if an exception escapes
     * @param error the exception that escaped, or {@code null}
     */
    public void complete(int status, @Nullable Throwable error) {
        completion = new Completion(status, error);
        entries.forEach(entry -> entry.completed(status, error));
    }

    /** Lets everything count that is still open. To be called instead when an asynchronous request times out. */
    public void timedOut() {
        entries.forEach(Enforcement::keep);
    }

    void record(Enforcement enforcement) {
        add(enforcement);
        Completion known = completion;
        if (known != null) {
            enforcement.completed(known.status(), known.error());
        }
    }

    private synchronized void add(Enforcement enforcement) {
        List<Enforcement> known = entries;
        entries = known.isEmpty()
                ? List.of(enforcement)
                : Stream.concat(known.stream(), Stream.of(enforcement)).toList();
    }
}

package io.ratelimit.enforcement;

import io.ratelimit.expression.CountWhenExpression;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.Outcome;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides after a call or request whether it counts. The permits were charged before; they are given back unless the
 * expression is true. Whatever goes wrong here lets the request count.
 */
final class Settlement {

    private static final int SERVER_ERROR = 500;

    private final List<Item> items;

    private final EvaluationScope scope;

    private final boolean inRequest;

    private volatile @Nullable Outcome ended;

    private volatile @Nullable Supplier<Outcome> endsWithRequest;

    private volatile int status;

    private volatile @Nullable Throwable escaped;

    Settlement(List<Item> items, EvaluationScope scope, boolean inRequest) {
        this.items = items;
        this.scope = scope;
        this.inRequest = inRequest;
    }

    /** One charge whose fate is open. */
    static final class Item {

        private final Charge charge;

        private final CountWhenExpression countWhen;

        private final AtomicBoolean settled = new AtomicBoolean();

        Item(Charge charge, CountWhenExpression countWhen) {
            this.charge = charge;
            this.countWhen = countWhen;
        }

        private void settle(EvaluationScope scope, Outcome outcome) {
            if (settled.compareAndSet(false, true) && !counts(scope, outcome)) {
                charge.decision().refund();
            }
        }

        private boolean counts(EvaluationScope scope, Outcome outcome) {
            try {
                return isTimeout(outcome.error()) || countWhen.counts(scope, outcome);
            } catch (RuntimeException e) {
                LimitSpec spec = charge.spec();
                spec.warning().log(() -> "%s: countWhen '%s' failed, so the call counts (%s)"
                        .formatted(spec, countWhen.text(), ThrottledWarning.describe(e)));
                return true;
            }
        }
    }

    void threw(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        ended(Outcome.threw(cause));
    }

    /** The call ended; what does not need the response's status is settled. */
    void ended(Outcome outcome) {
        ended = outcome;
        boolean complete = !inRequest || status != 0;
        Outcome seen = inRequest && status != 0 ? outcome.withStatus(status) : outcome;
        for (Item item : items) {
            if (complete || !item.countWhen.usesStatus()) {
                item.settle(scope, seen);
            }
        }
    }

    void endsWithRequest(Supplier<Outcome> outcome) {
        if (!inRequest) {
            keep();
            return;
        }
        endsWithRequest = outcome;
        if (status != 0) {
            completed(status, escaped);
        }
    }

    /** The request is complete; a call that has not ended by now is settled when it does. */
    void completed(int newStatus, @Nullable Throwable error) {
        escaped = error;
        status = error != null && newStatus < 400 ? SERVER_ERROR : newStatus;
        Outcome known = ended;
        Supplier<Outcome> late = endsWithRequest;
        if (known == null && late != null) {
            known = late.get();
        }
        if (known == null && !scope.isCall()) {
            known = Outcome.returned(null);
        }
        if (known != null) {
            Throwable cause = known.error() != null ? known.error() : error;
            Outcome seen = new Outcome(known.result(), cause, status);
            items.forEach(item -> item.settle(scope, seen));
        }
    }

    void keep() {
        items.forEach(item -> item.settled.set(true));
    }

    private static boolean isTimeout(@Nullable Throwable error) {
        return error instanceof TimeoutException
                || (error != null && error.getClass().getSimpleName().equals("AsyncRequestTimeoutException"));
    }
}

package io.ratelimit.enforcement;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Decision;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.expression.CountWhenExpression;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies limits to a request or call: evaluates condition, policy, key and cost of each, and asks the limiter once for
 * all of them, so that all admit and are charged, or none is. Shadow limits are asked afterwards, for themselves.
 */
public final class Enforcer {

    private final RateLimiter limiter;

    private final KeyResolution keys;

    private final WaitingRoom waitingRoom;

    private final RequestLedger.Access ledgers;

    private final List<EnforcementListener> listeners;

    /**
     * Creates an enforcer.
     *
     * @param limiter decides
     * @param missingKey what happens to requests without a key
     * @param waitingRoom bounds how many wait for leaky buckets
     * @param ledgers finds what the current request was charged already
     * @param listeners learn of every decision
     */
    public Enforcer(
            RateLimiter limiter,
            MissingKey missingKey,
            WaitingRoom waitingRoom,
            RequestLedger.Access ledgers,
            List<EnforcementListener> listeners) {
        this.limiter = limiter;
        this.keys = new KeyResolution(missingKey);
        this.waitingRoom = waitingRoom;
        this.ledgers = ledgers;
        this.listeners = List.copyOf(listeners);
    }

    /**
     * Returns the ledger of the request that the current thread handles.
     *
     * @return the ledger; {@code null} outside a request
     */
    public @Nullable RequestLedger currentLedger() {
        return ledgers.current().orElse(null);
    }

    /**
     * Applies limits within the current request, if there is one.
     *
     * @param specs the limits
     * @param scope request and arguments
     * @return what they decided
     * @throws RateLimitEvaluationException if the cost or the policy of one cannot be computed
     */
    public Enforcement enforce(List<LimitSpec> specs, EvaluationScope scope) {
        return enforce(specs, scope, currentLedger());
    }

    /**
     * Applies limits and records them in a ledger.
     *
     * @param specs the limits
     * @param scope request and arguments
     * @param ledger of the request; {@code null} outside one
     * @return what they decided
     * @throws RateLimitEvaluationException if the cost or the policy of one cannot be computed
     */
    public Enforcement enforce(List<LimitSpec> specs, EvaluationScope scope, @Nullable RequestLedger ledger) {
        List<Wish> enforcing = new ArrayList<>(specs.size());
        List<Wish> shadows = List.of();
        for (int i = 0; i < specs.size(); i++) {
            LimitSpec spec = specs.get(i);
            if (!spec.shadow()) {
                addWish(spec, scope, enforcing);
            } else {
                shadows = shadows.isEmpty() ? new ArrayList<>(specs.size()) : shadows;
                addWish(spec, scope, shadows);
            }
        }
        if (enforcing.isEmpty() && shadows.isEmpty()) {
            return Enforcement.nothing();
        }
        Enforcement enforcement = decide(enforcing, shadows, scope, ledger != null);
        if (ledger != null) {
            ledger.record(enforcement);
        }
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).decided(enforcement);
        }
        return enforcement;
    }

    private void addWish(LimitSpec spec, EvaluationScope scope, List<Wish> wishes) {
        try {
            Wish wish = wish(spec, scope);
            if (wish != null) {
                wishes.add(wish);
            }
        } catch (RateLimitEvaluationException e) {
            failed(spec, e);
            if (spec.shadow()) {
                spec.warning().log(() -> "%s; the shadow limit is not applied".formatted(e.getMessage()));
                return;
            }
            if (e.causedByRequest()) {
                spec.warning().log(() -> "%s; the request is answered as invalid".formatted(e.getMessage()));
            }
            throw e;
        }
    }

    private @Nullable Wish wish(LimitSpec spec, EvaluationScope scope) {
        if (!applies(spec, scope)) {
            return null;
        }
        PartitionKey key = keys.resolve(spec, scope);
        if (key == null) {
            return null;
        }
        return new Wish(spec, spec.choosePolicy(scope), key, spec.costOf(scope));
    }

    private static boolean applies(LimitSpec spec, EvaluationScope scope) {
        var condition = spec.condition();
        if (condition == null) {
            return true;
        }
        try {
            return condition.limits(scope);
        } catch (RuntimeException e) {
            spec.warning().log(() -> "%s: condition '%s' failed, so the request is limited (%s)"
                    .formatted(spec, condition.text(), ThrottledWarning.describe(e)));
            return true;
        }
    }

    private Enforcement decide(List<Wish> enforcing, List<Wish> shadows, EvaluationScope scope, boolean inRequest) {
        List<Charge> charges = acquire(enforcing);
        Enforcement.WaitingPlace place = null;
        Charge slowest = Queueing.slowest(charges);
        if (slowest != null) {
            place = Queueing.enter(waitingRoom, slowest);
            charges = place == null ? Queueing.turnAway(charges) : charges;
        }
        boolean refused = Queueing.isRefused(charges);
        List<Charge> shadowCharges = refused ? List.of() : acquireShadows(shadows);
        Settlement settlement =
                refused ? null : settlement(enforcing, charges, shadows, shadowCharges, scope, inRequest);
        return new Enforcement(charges, shadowCharges, settlement, place);
    }

    private List<Charge> acquire(List<Wish> wishes) {
        List<Charge> denials = denials(wishes);
        if (!denials.isEmpty() || wishes.isEmpty()) {
            return denials;
        }
        try {
            Wish first = wishes.get(0);
            if (wishes.size() == 1 && first.countWhen() == null) {
                return List.of(first.charge(
                        limiter.acquire(first.chosen().policy(), first.key().text(), first.cost())));
            }
            return acquireAll(wishes);
        } catch (RuntimeException e) {
            failed(wishes.get(0).spec(), e);
            throw e;
        }
    }

    private List<Charge> acquireAll(List<Wish> wishes) {
        List<Acquisition> acquisitions = new ArrayList<>(wishes.size());
        for (Wish wish : wishes) {
            acquisitions.add(wish.acquisition());
        }
        List<Decision> decisions = limiter.acquireAll(acquisitions);
        List<Charge> charges = new ArrayList<>(wishes.size());
        for (int i = 0; i < wishes.size(); i++) {
            charges.add(wishes.get(i).charge(decisions.get(i)));
        }
        return charges;
    }

    private List<Charge> acquireShadows(List<Wish> wishes) {
        if (wishes.isEmpty()) {
            return List.of();
        }
        try {
            return acquire(wishes);
        } catch (RuntimeException e) {
            LimitSpec spec = wishes.get(0).spec();
            spec.warning().log(() -> "%s: the shadow limit could not decide".formatted(spec), e);
            return List.of();
        }
    }

    private static List<Charge> denials(List<Wish> wishes) {
        List<Charge> denials = List.of();
        for (int i = 0; i < wishes.size(); i++) {
            if (wishes.get(i).denied()) {
                denials = denials.isEmpty() ? new ArrayList<>(wishes.size()) : denials;
                denials.add(wishes.get(i).denial());
            }
        }
        return denials;
    }

    private static @Nullable Settlement settlement(
            List<Wish> enforcing,
            List<Charge> charges,
            List<Wish> shadows,
            List<Charge> shadowCharges,
            EvaluationScope scope,
            boolean inRequest) {
        if (!isAnyOpen(enforcing) && !isAnyOpen(shadows)) {
            return null;
        }
        List<Settlement.Item> items = new ArrayList<>(enforcing.size() + shadows.size());
        addItems(enforcing, charges, items);
        addItems(shadows, shadowCharges, items);
        return new Settlement(items, scope.capture(), inRequest);
    }

    private static boolean isAnyOpen(List<Wish> wishes) {
        for (int i = 0; i < wishes.size(); i++) {
            if (wishes.get(i).countWhen() != null) {
                return true;
            }
        }
        return false;
    }

    private static void addItems(List<Wish> wishes, List<Charge> charges, List<Settlement.Item> items) {
        for (int i = 0; i < charges.size() && charges.size() == wishes.size(); i++) {
            CountWhenExpression countWhen = wishes.get(i).countWhen();
            if (countWhen != null) {
                items.add(new Settlement.Item(charges.get(i), countWhen));
            }
        }
    }

    private void failed(LimitSpec spec, RuntimeException error) {
        listeners.forEach(listener -> listener.failed(spec, error));
    }
}

package io.ratelimit.autoconfigure;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;
import java.util.List;

/** Admits everything and counts nothing. */
final class UnlimitedBackend implements Backend {

    @Override
    public Decision acquire(Policy policy, String key, long cost, Acquisition.Mode mode) {
        Acquisition.requireCost(policy, cost);
        return Decision.uncounted(policy, key, cost, true);
    }

    @Override
    public List<Decision> acquireAll(List<Acquisition> acquisitions) {
        return acquisitions.stream()
                .map(asked -> Decision.uncounted(asked.policy(), asked.key(), asked.cost(), true))
                .toList();
    }

    @Override
    public Decision peek(Policy policy, String key) {
        return Decision.uncounted(policy, key, 1, true);
    }

    @Override
    public void refund(Decision decision) {
        // Nothing was charged.
    }

    @Override
    public void reset(Policy policy, String key) {
        // Nothing was counted.
    }

    @Override
    public void reset() {
        // Nothing was counted.
    }
}

package io.ratelimit.enforcement;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimiter;
import java.util.List;

/** A backend together with the policies that have a name. */
public final class PolicyRateLimiter implements RateLimiter {

    private final PolicyRegistry policies;

    private final Backend backend;

    /**
     * Creates the limiter.
     *
     * @param policies the policies that have a name
     * @param backend where permits are counted
     */
    public PolicyRateLimiter(PolicyRegistry policies, Backend backend) {
        this.policies = policies;
        this.backend = backend;
    }

    @Override
    public Policy policy(String name) {
        return policies.require(name).policy();
    }

    @Override
    public Decision acquire(Policy policy, String key, long cost) {
        Acquisition.requireCost(policy, cost);
        return backend.acquire(policy, key, cost, Acquisition.Mode.SPEND);
    }

    @Override
    public List<Decision> acquireAll(List<Acquisition> acquisitions) {
        if (acquisitions.size() == 1) {
            Acquisition only = acquisitions.get(0);
            return List.of(backend.acquire(only.policy(), only.key(), only.cost(), only.mode()));
        }
        return backend.acquireAll(acquisitions);
    }

    @Override
    public Decision peek(Policy policy, String key) {
        return backend.peek(policy, key);
    }

    @Override
    public void refund(Decision decision) {
        decision.refund();
    }

    @Override
    public void reset(Policy policy, String key) {
        backend.reset(policy, key);
    }

    @Override
    public void reset() {
        backend.reset();
    }
}

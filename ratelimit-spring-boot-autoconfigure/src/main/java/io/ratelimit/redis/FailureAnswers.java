package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.FailurePolicy;
import io.ratelimit.core.Policy;
import java.util.List;

/** Decides while Redis does not: each policy as it says, else as the application says. */
final class FailureAnswers {

    private final FailurePolicy usual;

    private final Backend local;

    FailureAnswers(FailurePolicy usual, Backend local) {
        this.usual = usual;
        this.local = local;
    }

    Backend local() {
        return local;
    }

    Decision acquire(Acquisition asked) {
        return switch (of(asked.policy())) {
            case LOCAL -> local.acquire(asked.policy(), asked.key(), asked.cost(), asked.mode());
            case ALLOW -> uncounted(asked, true);
            case DENY -> uncounted(asked, asked.cost() == 0);
        };
    }

    /** One decision of several policies: deny beats local beats allow. */
    List<Decision> acquireAll(List<Acquisition> asked) {
        if (asked.stream().anyMatch(one -> of(one.policy()) == FailurePolicy.DENY && one.cost() > 0)) {
            return asked.stream()
                    .map(one -> uncounted(one, of(one.policy()) != FailurePolicy.DENY || one.cost() == 0))
                    .toList();
        }
        if (asked.stream().anyMatch(one -> of(one.policy()) == FailurePolicy.LOCAL)) {
            return local.acquireAll(asked);
        }
        return asked.stream().map(one -> uncounted(one, true)).toList();
    }

    Decision peek(Policy policy, String key) {
        FailurePolicy answer = of(policy);
        return answer == FailurePolicy.LOCAL
                ? local.peek(policy, key)
                : Decision.uncounted(policy, key, 1, answer == FailurePolicy.ALLOW);
    }

    private FailurePolicy of(Policy policy) {
        FailurePolicy own = policy.onFailure();
        return own == null ? usual : own;
    }

    private static Decision uncounted(Acquisition asked, boolean allowed) {
        return Decision.uncounted(asked.policy(), asked.key(), asked.cost(), allowed);
    }
}

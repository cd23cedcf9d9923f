package io.ratelimit.enforcement;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Decision;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.expression.CountWhenExpression;
import io.ratelimit.expression.PartitionKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one limit asks the limiter for.
 *
 * @param spec the limit
 * @param chosen its policy for this request
 * @param key whose permits
 * @param cost how many
 */
record Wish(LimitSpec spec, ChosenPolicy chosen, PartitionKey key, long cost) {

    boolean denied() {
        return key == KeyResolution.DENIED;
    }

    @Nullable
    CountWhenExpression countWhen() {
        CountWhenExpression own = spec.countWhen();
        return own != null ? own : chosen.countWhen();
    }

    Acquisition.Mode mode() {
        return countWhen() == null ? Acquisition.Mode.SPEND : Acquisition.Mode.RESERVE;
    }

    Acquisition acquisition() {
        return new Acquisition(chosen.policy(), key.text(), cost, mode());
    }

    Charge charge(Decision decision) {
        return new Charge(spec, chosen.wireName(), key, decision);
    }

    /** The refusal of a request without a key: nothing is known about its counts, and no wait helps. */
    Charge denial() {
        return charge(refusal(chosen.policy(), key.text(), cost, 0, 0, Decision.NEVER));
    }

    static Decision refusal(Policy policy, String key, long cost, long at, long resetAfter, long retryAfter) {
        if (policy.limits().size() == 1) {
            return Decision.refused(policy, key, cost, at, 0, resetAfter, retryAfter);
        }
        List<LimitStatus> statuses = policy.limits().stream()
                .map(limit -> new LimitStatus(limit, false, 0, retryAfter, resetAfter, 0))
                .toList();
        return Decision.of(null, policy, key, cost, at, statuses);
    }
}

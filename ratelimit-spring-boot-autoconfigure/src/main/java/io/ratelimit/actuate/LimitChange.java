package io.ratelimit.actuate;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.PolicyDefinition;
import io.ratelimit.enforcement.PolicyRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes the number of permits of a limit, and nothing that would make it forget its counts. */
final class LimitChange {

    private LimitChange() {}

    static List<Limit> apply(Policy policy, long limit, @Nullable Long burst, int position) {
        List<Limit> limits = new ArrayList<>(policy.limits());
        if (position < 0 || position >= limits.size()) {
            throw new IllegalArgumentException(
                    "position %d does not exist; use a number from 0 to %d".formatted(position, limits.size() - 1));
        }
        limits.set(position, changed(limits.get(position), limit, burst));
        return List.copyOf(limits);
    }

    static void install(String name, List<Limit> changed, LimitRegistry limits, PolicyRegistry policies) {
        if (limits.change(name, changed)) {
            return;
        }
        if (!policies.names().contains(name)) {
            throw new IllegalArgumentException("its limits come from a policy; change that policy");
        }
        PolicyDefinition old = policies.require(name);
        policies.replace(
                name,
                new PolicyDefinition(new Policy(name, changed, old.policy().onFailure()), old.countWhen()));
    }

    private static Limit changed(Limit old, long limit, @Nullable Long burst) {
        boolean followed = old.algorithm() != Algorithm.LEAKY_BUCKET && old.burst() == old.limit();
        long kept = followed ? limit : old.burst();
        return new Limit(
                old.algorithm(),
                limit,
                old.windowMicros(),
                burst == null ? kept : burst,
                old.delay(),
                old.nodelay(),
                old.maxDelayMicros());
    }
}

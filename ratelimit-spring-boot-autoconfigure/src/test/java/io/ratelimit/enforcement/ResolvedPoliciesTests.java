package io.ratelimit.enforcement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ResolvedPoliciesTests {

    private final Enforcing room = new Enforcing();

    @Test
    void refreshDuringAResolutionIsNotLost() {
        AtomicBoolean updated = new AtomicBoolean();
        room.resolvers.add(name -> {
            Policy read = policy(name, updated.get() ? 100 : 5);
            if (updated.compareAndSet(false, true)) {
                room.policyRegistry().refresh(); // as another thread does after its update of the database
            }
            return Optional.of(read);
        });

        room.policyRegistry().find("gold");

        assertThat(room.policyRegistry().require("gold").policy()).isEqualTo(policy("gold", 100));
    }

    private static Policy policy(String name, long permits) {
        return Policy.of(name, Limit.ofMicros(Algorithm.FIXED_WINDOW, permits, 60_000_000));
    }
}

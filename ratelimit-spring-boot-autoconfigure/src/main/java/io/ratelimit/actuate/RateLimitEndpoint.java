package io.ratelimit.actuate;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.PolicyRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The Actuator endpoint {@code ratelimit}: what is limited and how, what a key has left, forgetting a key, and changing a
 * limit while the application runs, on this node.
 */
@Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {

    private final RateLimiter limiter;

    private final LimitRegistry limits;

    private final PolicyRegistry policies;

    private final String backend;

    private final LimitReport.Phases phases;

    /**
     * Creates the endpoint.
     *
     * @param limiter knows the counts
     * @param limits the limits of rules and annotations
     * @param policies the policies that have a name
     * @param backend where permits are counted
     * @param phases whether there is a Spring Security before or after which a rule decides
     */
    public RateLimitEndpoint(
            RateLimiter limiter,
            LimitRegistry limits,
            PolicyRegistry policies,
            String backend,
            LimitReport.Phases phases) {
        this.limiter = limiter;
        this.limits = limits;
        this.policies = policies;
        this.backend = backend;
        this.phases = phases;
    }

    /**
     * Lists what is limited.
     *
     * @return every limit and every policy
     */
    @ReadOperation
    public LimitReport.Overview list() {
        return new LimitReport.Overview(
                backend,
                limits.specs().stream()
                        .map(spec -> LimitReport.of(spec, phases))
                        .toList(),
                policies.names().stream()
                        .map(name -> LimitReport.of(policies.require(name).policy()))
                        .toList());
    }

    /**
     * Says what a key has left.
     *
     * @param name name of a rule, a limited method or a policy
     * @param key the partition key as it is stored
     * @return the state of its limits; {@code null} if there is no such name
     */
    @ReadOperation
    public LimitReport.@Nullable State state(@Selector String name, @Selector String key) {
        return find(name)
                .map(policy -> limiter.peek(policy, key))
                .map(LimitReport::of)
                .orElse(null);
    }

    /**
     * Forgets what was counted for a key.
     *
     * @param name name of a rule, a limited method or a policy
     * @param key the partition key as it is stored
     * @return the state afterwards; {@code null} if there is no such name
     */
    @DeleteOperation
    public LimitReport.@Nullable State reset(@Selector String name, @Selector String key) {
        find(name).ifPresent(policy -> limiter.reset(policy, key));
        return state(name, key);
    }

    /**
     * Changes a limit. What is used up stays used up. An invalid change is refused and nothing changes.
     *
     * @param name name of a policy, or of a rule or limited method with limits of its own
     * @param limit the new number of permits per window
     * @param burst the new burst; {@code null} to keep it, or to follow the limit where it did before
     * @param position which limit of several, from 0; {@code null} for the first
     * @return the limits from now on; {@code null} if there is no such name
     */
    @WriteOperation
    public @Nullable List<String> change(
            @Selector String name, long limit, @Nullable Long burst, @Nullable Integer position) {
        Optional<Policy> policy = find(name);
        if (policy.isEmpty()) {
            return null;
        }
        try {
            List<Limit> changed = LimitChange.apply(policy.get(), limit, burst, position == null ? 0 : position);
            LimitChange.install(name, changed, limits, policies);
            return changed.stream().map(Limit::describe).toList();
        } catch (IllegalArgumentException e) {
            String message = "'%s' stays as it is: %s".formatted(name, e.getMessage());
            throw new InvalidEndpointRequestException(message, message, e);
        }
    }

    private Optional<Policy> find(String name) {
        Optional<Policy> declared = limits.specs(name).stream()
                .map(LimitSpec::limits)
                .filter(list -> !list.isEmpty())
                .map(list -> new Policy(name, list, null))
                .findFirst();
        return declared.isPresent()
                ? declared
                : policies.find(name).map(definition -> definition.policy().named(name));
    }
}

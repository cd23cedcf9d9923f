package io.ratelimit.actuate;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.PolicyRegistry;
import io.ratelimit.enforcement.RateLimitConfigurationException;
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
 * The Actuator endpoint {@code ratelimit}: what is limited and how, who was refused of late, what a key has left,
 * forgetting a key, and changing limits while the application runs, on this node.
 */
@Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {

    private final RateLimiter limiter;

    private final LimitRegistry limits;

    private final PolicyRegistry policies;

    private final LimitControl control;

    private final RecentRefusals refusals;

    private final String backend;

    private final LimitReport.Phases phases;

    /**
     * Creates the endpoint.
     *
     * @param limiter knows the counts
     * @param limits the limits of rules and annotations
     * @param policies the policies that have a name
     * @param control changes limits
     * @param refusals who was refused of late
     * @param backend where permits are counted
     * @param phases whether there is a Spring Security before or after which a rule decides
     */
    public RateLimitEndpoint(
            RateLimiter limiter,
            LimitRegistry limits,
            PolicyRegistry policies,
            LimitControl control,
            RecentRefusals refusals,
            String backend,
            LimitReport.Phases phases) {
        this.limiter = limiter;
        this.limits = limits;
        this.policies = policies;
        this.control = control;
        this.refusals = refusals;
        this.backend = backend;
        this.phases = phases;
    }

    /**
     * Lists what is limited.
     *
     * @return every limit, every policy, and who was refused of late
     */
    @ReadOperation
    public LimitReport.Overview list() {
        return new LimitReport.Overview(
                backend,
                limits.specs().stream()
                        .map(spec -> LimitReport.of(spec, phases))
                        .toList(),
                policies.names().stream()
                        .flatMap(name -> policies.find(name).stream()) // removed meanwhile, perhaps
                        .map(definition -> LimitReport.of(definition.policy()))
                        .toList(),
                refusals.summary());
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
     * Reads policies, rules and the placeholders of annotations again from the environment. What is used up stays used up.
     * An environment that cannot work is refused and nothing changes.
     *
     * @return what has changed
     * @throws InvalidEndpointRequestException if the environment is refused
     */
    @WriteOperation
    public LimitControl.Reload reload() {
        LimitControl.Reload done = control.reload();
        if (!done.accepted()) {
            throw refused("every limit stays as it is: " + done.problem(), null);
        }
        return done;
    }

    /**
     * Changes a limit. What is used up stays used up. An invalid change is refused and nothing changes.
     *
     * @param name name of a policy, or of a rule or limited method with limits of its own
     * @param limit the new number of permits per window
     * @param burst the new burst; {@code null} to keep it, or to follow the limit where it did before
     * @param position which limit of several, from 0; {@code null} for the first
     * @return the limits from now on
     * @throws InvalidEndpointRequestException if the change is refused
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3.5 knows optional parameters by this annotation alone.
    public LimitReport.Changed change(
            @Selector String name,
            long limit,
            @org.springframework.lang.Nullable @Nullable Long burst,
            @org.springframework.lang.Nullable @Nullable Integer position) {
        try {
            List<Limit> changed =
                    control.change(name, old -> LimitChange.apply(old, limit, burst, position == null ? 0 : position));
            return LimitReport.of(name, changed);
        } catch (IllegalArgumentException | RateLimitConfigurationException e) {
            throw refused("'%s' stays as it is: %s".formatted(name, e.getMessage()), e);
        }
    }

    private static InvalidEndpointRequestException refused(String message, @Nullable Throwable cause) {
        return new InvalidEndpointRequestException(message, message, cause);
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

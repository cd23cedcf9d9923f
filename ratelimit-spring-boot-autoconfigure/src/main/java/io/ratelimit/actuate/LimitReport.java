package io.ratelimit.actuate;

import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.enforcement.LimitSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is limited, as the endpoint shows it.
 *
 * @param name name of the bucket, for the other operations of the endpoint
 * @param subject what it is: a rule, a method or a class
 * @param policy name of its policy or the template that chooses one; {@code null} if its limits stand where it is declared
 * @param limits its limits in words; empty if a policy is chosen for each request
 * @param key whose requests are counted together, as it was written
 * @param cost how many permits a request takes, as it was written
 * @param condition whether a request is limited at all, as it was written; {@code null} for always
 * @param countWhen whether a request counts, as it was written; {@code null} for always
 * @param phase whether it decides before or after Spring Security; {@code null} without that,
 *     and for annotations
 * @param shadow whether it never refuses
 */
public record LimitReport(
        String name,
        String subject,
        @Nullable String policy,
        List<String> limits,
        String key,
        String cost,
        @Nullable String condition,
        @Nullable String countWhen,
        @Nullable String phase,
        boolean shadow) {

    /** Whether the phase of a limit means anything. */
    public enum Phases {
        /** Spring Security is there. */
        SHOWN,
        /** It is not. */
        HIDDEN
    }

    /**
     * Everything that is limited.
     *
     * @param backend where permits are counted
     * @param limits the limits of rules and annotations
     * @param policies the policies of the configuration
     * @param refusals who was refused of late
     */
    public record Overview(
            String backend, List<LimitReport> limits, List<NamedPolicy> policies, RecentRefusals.Summary refusals) {}

    /**
     * A policy of the configuration.
     *
     * @param name its name
     * @param limits its limits in words
     */
    public record NamedPolicy(String name, List<String> limits) {}

    /**
     * What a key has left.
     *
     * @param name name of the bucket
     * @param key the partition key
     * @param allowed whether a request of cost 1 would be admitted now
     * @param limits what each limit says
     */
    public record State(String name, String key, boolean allowed, List<Status> limits) {}

    /**
     * What one limit says of a key.
     *
     * @param limit the limit in words
     * @param remaining how many requests of cost 1 would be admitted now
     * @param retryAfterMicros time until a request is admitted, 0 if it would be now, -1 for never
     * @param resetAfterMicros time until one more request is admitted
     */
    public record Status(String limit, long remaining, long retryAfterMicros, long resetAfterMicros) {}

    /**
     * Limits that were changed.
     *
     * @param name name of the policy, rule or method
     * @param limits its limits from now on, in words
     */
    public record Changed(String name, List<String> limits) {}

    /**
     * Why nothing was changed.
     *
     * @param problem what is wrong and what to do
     */
    public record Problem(String problem) {}

    static Changed of(String name, List<Limit> limits) {
        return new Changed(name, words(limits));
    }

    static LimitReport of(LimitSpec spec, Phases phases) {
        return new LimitReport(
                spec.bucket(),
                spec.subject(),
                spec.policyText().orElse(null),
                words(spec.limits()),
                spec.keyText(),
                spec.costText(),
                spec.conditionText().orElse(null),
                spec.countWhenText().orElse(null),
                phases == Phases.SHOWN && spec.belongsToRule() ? spec.phase().name() : null,
                spec.shadow());
    }

    static NamedPolicy of(Policy policy) {
        return new NamedPolicy(policy.name(), words(policy.limits()));
    }

    static State of(Decision decision) {
        return new State(
                decision.policy().name(),
                decision.key(),
                decision.allowed(),
                decision.limits().stream().map(LimitReport::of).toList());
    }

    private static Status of(LimitStatus status) {
        return new Status(
                status.limit().describe(), status.remaining(), status.retryAfterMicros(), status.resetAfterMicros());
    }

    private static List<String> words(List<Limit> limits) {
        return limits.stream().map(Limit::describe).toList();
    }
}

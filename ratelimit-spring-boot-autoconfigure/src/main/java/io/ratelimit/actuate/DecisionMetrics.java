package io.ratelimit.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Counts decisions: {@code ratelimit.decisions} with the tags {@code name} and {@code outcome} (allowed, delayed,
 * rejected, shadow_rejected, error), and {@code ratelimit.near.limit} with the tag {@code name} for admitted requests that
 * left a key close to its limit. Meters of all declared limits exist from the start; the partition key is never a tag, so
 * their number does not grow with traffic.
 */
public final class DecisionMetrics implements EnforcementListener, SmartInitializingSingleton {

    /** Plans may be made up for each call; beyond so many names the rest is counted together. */
    static final int MAX_NAMES = 1_000;

    static final String OTHER = "other";

    private static final int ALL = 100;

    private final MeterRegistry meters;

    private final LimitRegistry limits;

    private final int nearLimitPercent;

    private final Map<String, Counters> counters = new ConcurrentHashMap<>();

    /**
     * Creates the meters when they are first needed.
     *
     * @param meters where they are registered
     * @param limits the limits whose meters exist from the start
     * @param nearLimitPercent how many percent of a limit have to be used up to be near it, from 1 to 100
     * @throws IllegalArgumentException if that is no percentage
     */
    public DecisionMetrics(MeterRegistry meters, LimitRegistry limits, int nearLimitPercent) {
        if (nearLimitPercent < 1 || nearLimitPercent > ALL) {
            throw new IllegalArgumentException(
                    "near-limit %d is no percentage; use a number from 1 to 100".formatted(nearLimitPercent));
        }
        this.meters = meters;
        this.limits = limits;
        this.nearLimitPercent = nearLimitPercent;
    }

    private record Counters(Map<Charge.Outcome, Counter> byOutcome, Counter errors, Counter nearLimit) {}

    @Override
    public void afterSingletonsInstantiated() {
        limits.specs().forEach(spec -> counters(spec.wireName()));
    }

    @Override
    public void decided(Enforcement enforcement) {
        count(enforcement.charges(), enforcement.refused());
        count(enforcement.shadowCharges(), false);
    }

    @Override
    public void failed(LimitSpec spec, RuntimeException error) {
        counters(spec.wireName()).errors.increment();
    }

    private void count(List<Charge> charges, boolean refused) {
        for (Charge charge : charges) {
            Charge.Outcome outcome = charge.outcome();
            Counters counted = counters(charge.wireName());
            counted.byOutcome.get(outcome).increment();
            if (!refused && isNearLimit(charge.decision())) {
                counted.nearLimit.increment();
            }
        }
    }

    private boolean isNearLimit(Decision decision) {
        if (!decision.allowed() || !decision.counted()) {
            return false;
        }
        List<Limit> policy = decision.policy().limits();
        if (policy.size() == 1) {
            return isNearLimit(policy.get(0), decision.remaining());
        }
        for (LimitStatus status : decision.limits()) {
            if (isNearLimit(status.limit(), status.remaining())) {
                return true;
            }
        }
        return false;
    }

    private boolean isNearLimit(Limit limit, long remaining) {
        long capacity = limit.algorithm() == Algorithm.LEAKY_BUCKET ? limit.burst() + 1 : limit.burst();
        return (capacity - remaining) * ALL >= capacity * nearLimitPercent;
    }

    private Counters counters(String name) {
        Counters known = counters.get(name);
        if (known != null) {
            return known;
        }
        String bounded = counters.size() < MAX_NAMES ? name : OTHER;
        return counters.computeIfAbsent(bounded, this::register);
    }

    private Counters register(String name) {
        Map<Charge.Outcome, Counter> byOutcome = new EnumMap<>(Charge.Outcome.class);
        for (Charge.Outcome outcome : Charge.Outcome.values()) {
            byOutcome.put(outcome, decisions(name, outcome.name().toLowerCase(Locale.ROOT)));
        }
        Counter nearLimit = Counter.builder("ratelimit.near.limit")
                .description("Admitted requests that left their key close to its limit")
                .tag("name", name)
                .register(meters);
        return new Counters(byOutcome, decisions(name, "error"), nearLimit);
    }

    private Counter decisions(String name, String outcome) {
        return Counter.builder("ratelimit.decisions")
                .description("Decisions of rate limits")
                .tag("name", name)
                .tag("outcome", outcome)
                .register(meters);
    }
}

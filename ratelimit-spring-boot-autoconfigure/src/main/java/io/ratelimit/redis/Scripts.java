package io.ratelimit.redis;

import io.ratelimit.core.Policy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The scripts and layouts that were needed so far, each written once. */
final class Scripts {

    /** Policies may be made at run time, so what is remembered of them is bounded. */
    private static final int MOST_LAYOUTS = 10_000;

    private final boolean givenTime;

    private final Map<Policy, BucketLayout> layouts = new ConcurrentHashMap<>();

    private final Map<String, Script> acquire = new ConcurrentHashMap<>();

    private final Map<String, Script> peek = new ConcurrentHashMap<>();

    private final Map<String, Script> refund = new ConcurrentHashMap<>();

    Scripts(boolean givenTime) {
        this.givenTime = givenTime;
    }

    BucketLayout layout(Policy policy) {
        BucketLayout layout = layouts.get(policy);
        if (layout == null) {
            if (layouts.size() >= MOST_LAYOUTS) {
                layouts.clear();
            }
            layout = new BucketLayout(policy);
            layouts.put(policy, layout);
        }
        return layout;
    }

    Script acquire(List<String> shapes) {
        return acquire.computeIfAbsent(
                name(shapes), name -> ScriptWriter.write(ScriptWriter.Purpose.ACQUIRE, givenTime, shapes));
    }

    Script peek(List<String> shapes) {
        return peek.computeIfAbsent(
                name(shapes), name -> ScriptWriter.write(ScriptWriter.Purpose.PEEK, givenTime, shapes));
    }

    Script refund(String shape) {
        return refund.computeIfAbsent(
                shape, name -> ScriptWriter.write(ScriptWriter.Purpose.REFUND, givenTime, List.of(shape)));
    }

    private static String name(List<String> shapes) {
        return shapes.size() == 1 ? shapes.get(0) : String.join("|", shapes);
    }
}

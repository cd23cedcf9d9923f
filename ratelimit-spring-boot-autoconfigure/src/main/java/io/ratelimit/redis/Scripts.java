package io.ratelimit.redis;

import io.ratelimit.core.Policy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The scripts and layouts that were needed so far, each written once. */
final class Scripts {

    /** Policies may be made at run time, so what is remembered of them is bounded. */
    private static final int MOST_LAYOUTS = 10_000;

    /** Redis never forgets a script, so limits that are made at run time must not each add one. */
    private static final int MOST_OWN_SCRIPTS = 500;

    private final boolean givenTime;

    private final Map<Policy, BucketLayout> layouts = new ConcurrentHashMap<>();

    private final Map<String, Script> acquire = new ConcurrentHashMap<>();

    private final Map<String, Script> own = new ConcurrentHashMap<>();

    private final Map<String, Script> peek = new ConcurrentHashMap<>();

    private final Map<String, Script> refund = new ConcurrentHashMap<>();

    private final Script reset;

    Scripts(boolean givenTime) {
        this.givenTime = givenTime;
        this.reset = ScriptWriter.writeReset(givenTime);
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

    /** The script for these limits alone; {@code null} if there are too many such scripts already. */
    @Nullable
    Script own(BucketLayout layout) {
        Script script = layout.ownScript();
        if (script == null && own.size() < MOST_OWN_SCRIPTS) {
            script = own.computeIfAbsent(
                    layout.shape() + layout.literals(), limits -> ScriptWriter.write(givenTime, layout));
            layout.ownScript(script);
        }
        return script;
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

    /** Forgets the bucket whose keys are given. */
    Script reset() {
        return reset;
    }

    private static String name(List<String> shapes) {
        return shapes.size() == 1 ? shapes.get(0) : String.join("|", shapes);
    }
}

package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.time.Duration;
import java.util.List;

/**
 * Asks for one permit of a limit of zero for each algorithm, which changes nothing, but loads scripts into Redis and classes
 * into this virtual machine, so that the first request need not.
 */
final class WarmUp {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private WarmUp() {}

    static void run(ScriptRunner runner, BucketKeys keys, DenyCache denied) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (Algorithm algorithm : Algorithm.values()) {
            Policy policy = Policy.of("warm-up", Limit.ofMicros(algorithm, 0, Limit.MIN_WINDOW_MICROS));
            Acquisition asked = new Acquisition(policy, "", 1, Acquisition.Mode.RESERVE);
            String name = keys.bucket(policy.name(), asked.key());
            List<Bucket> buckets = List.of(new Bucket(asked, name, runner.layout(policy), denied.sending(name)));
            byte[] reply = runner.acquire(buckets).await(deadline);
            if (reply == null) {
                return;
            }
            buckets.get(0).seen(runner.read(reply, buckets).answers().get(0));
        }
    }
}

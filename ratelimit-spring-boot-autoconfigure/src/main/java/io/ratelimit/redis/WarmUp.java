package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.time.Duration;

/**
 * Goes all ways of a decision once at start-up, so that the first request need not load classes into this virtual machine
 * and scripts into Redis while its deadline runs. Asks for permits of limits of zero, which changes nothing anywhere.
 */
final class WarmUp {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final String KEY = "";

    private WarmUp() {}

    /** Asks the backend that decides when Redis does not. */
    static void askLocally(Backend local) {
        for (Algorithm algorithm : Algorithm.values()) {
            local.acquire(nothing(algorithm), KEY, 1, Acquisition.Mode.RESERVE).limits();
        }
    }

    /** Asks Redis, and reads an answer of the kind that a limit of zero never gets. */
    static void askRedis(ScriptRunner runner, BucketKeys keys, DenyCache denied) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (Algorithm algorithm : Algorithm.values()) {
            Policy policy = nothing(algorithm);
            Acquisition asked = new Acquisition(policy, KEY, 1, Acquisition.Mode.RESERVE);
            String name = keys.bucket(policy.name(), asked.key());
            Bucket bucket = new Bucket(asked, name, runner.layout(policy), denied.sending(name, System.nanoTime()));
            byte[] reply = runner.acquire(bucket).await(deadline);
            if (reply == null) {
                return;
            }
            bucket.seen(new Reply(reply).next(bucket));
            if (algorithm != Algorithm.SLIDING_LOG) {
                readAdmission(bucket);
            }
        }
    }

    private static void readAdmission(Bucket bucket) {
        byte[] written = new byte[1 + BucketLayout.LIMIT_BYTES];
        written[0] = BucketLayout.VERSION;
        Answer answer = new Reply(written).next(bucket);
        answer.charged(null, bucket.policy(), KEY, 1).limits();
    }

    private static Policy nothing(Algorithm algorithm) {
        return Policy.of("warm-up", Limit.ofMicros(algorithm, 0, Limit.MIN_WINDOW_MICROS));
    }
}

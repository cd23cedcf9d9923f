package io.ratelimit.redis;

import io.ratelimit.core.Decision;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends the scripts with their arguments and reads their replies. */
final class ScriptRunner {

    /** No limit ever admits so much; larger costs need no more digits. */
    private static final long LARGEST_COST = 1L << 42;

    private static final byte[] ONE = {'1'};

    private static final byte[][] NONE = {};

    private final RedisLink link;

    private final RedisObserver observer;

    private final Scripts scripts;

    private final @Nullable TimeSource timeSource;

    ScriptRunner(RedisLink link, RedisObserver observer, @Nullable TimeSource timeSource) {
        this.link = link;
        this.observer = observer;
        this.scripts = new Scripts(timeSource != null);
        this.timeSource = timeSource;
    }

    BucketLayout layout(Policy policy) {
        return scripts.layout(policy);
    }

    /** Sends what charges all buckets or none; each is answered in the {@link Reply}. */
    ScriptCall acquire(List<Bucket> buckets) {
        return buckets.size() == 1 ? acquire(buckets.get(0)) : send(scripts.acquire(shapes(buckets)), buckets);
    }

    /** Sends what charges a bucket. */
    ScriptCall acquire(Bucket bucket) {
        Script own = bucket.asked().cost() > 0 ? scripts.own(bucket.layout()) : null;
        if (own != null) {
            return send(own, bucket);
        }
        List<Bucket> alone = List.of(bucket);
        return send(scripts.acquire(shapes(alone)), alone);
    }

    /** Sends what looks at a bucket as if its cost were to be charged. */
    ScriptCall peek(Bucket bucket) {
        List<Bucket> alone = List.of(bucket);
        return send(scripts.peek(shapes(alone)), alone);
    }

    /** Sends what gives back the charge of a decision. */
    ScriptCall refund(Decision decision, String bucket) {
        return refund(decision, bucket, ScriptCall::send);
    }

    /** The same, as text, so that nobody need wait to send it again should Redis not know the script. */
    ScriptCall giveBack(Decision decision, String bucket) {
        return refund(decision, bucket, ScriptCall::sendText);
    }

    private ScriptCall refund(Decision decision, String bucket, Sending sending) {
        BucketLayout layout = layout(decision.policy());
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(number(decision.atMicros()));
        arguments.add(number(decision.cost()));
        arguments.add(layout.parameters());
        List<LimitStatus> then = decision.limits();
        for (int i = 0; i < then.size(); i++) {
            if (layout.shape().charAt(i) == 'B') {
                LimitStatus status = then.get(i);
                arguments.add(number(status.delayMicros() > 0 ? status.remaining() : -1));
            }
        }
        return send(sending, scripts.refund(layout.shape()), BucketKeys.withReset(bucket, layout), arguments);
    }

    /** Sends what forgets a bucket, and notes for whom it gives something back later. */
    ScriptCall reset(Policy policy, String bucket) {
        BucketLayout layout = layout(policy);
        List<byte[]> arguments = new ArrayList<>(List.of(number(layout.refundableMillis())));
        return send(ScriptCall::send, scripts.reset(), BucketKeys.withReset(bucket, layout), arguments);
    }

    private ScriptCall send(Script own, Bucket bucket) {
        byte[][] keys = BucketKeys.all(bucket.name(), bucket.layout());
        long cost = Math.min(bucket.asked().cost(), LARGEST_COST);
        if (cost == 1 && timeSource == null) {
            return ScriptCall.send(link, observer, own, keys, NONE);
        }
        List<byte[]> arguments = new ArrayList<>(2);
        arguments.add(number(cost));
        return send(ScriptCall::send, own, keys, arguments);
    }

    private ScriptCall send(Script script, List<Bucket> buckets) {
        List<byte[]> arguments = new ArrayList<>(2 * buckets.size() + 1);
        byte[][] keys = new byte[0][];
        for (Bucket bucket : buckets) {
            arguments.add(number(Math.min(bucket.asked().cost(), LARGEST_COST)));
            arguments.add(bucket.layout().parameters());
            byte[][] own = BucketKeys.all(bucket.name(), bucket.layout());
            byte[][] before = keys;
            keys = Arrays.copyOf(before, before.length + own.length);
            System.arraycopy(own, 0, keys, before.length, own.length);
        }
        return send(ScriptCall::send, script, keys, arguments);
    }

    private interface Sending {
        ScriptCall send(RedisLink link, RedisObserver observer, Script script, byte[][] keys, byte[][] arguments);
    }

    private ScriptCall send(Sending sending, Script script, byte[][] keys, List<byte[]> arguments) {
        if (timeSource != null) {
            arguments.add(number(timeSource.micros()));
        }
        return sending.send(link, observer, script, keys, arguments.toArray(byte[][]::new));
    }

    private static List<String> shapes(List<Bucket> buckets) {
        return buckets.stream().map(bucket -> bucket.layout().shape()).toList();
    }

    private static byte[] number(long number) {
        return number == 1 ? ONE : Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}

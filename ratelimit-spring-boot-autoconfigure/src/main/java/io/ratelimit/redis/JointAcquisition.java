package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Takes permits of several buckets, or of none. Where one master holds them all, a single script does. In a cluster each
 * hash slot is asked for itself, all at once; if one refuses or fails, what the others charged is given back, so that others
 * may be refused for a moment, but nobody is admitted too often.
 */
final class JointAcquisition {

    private final ScriptRunner runner;

    private final RedisLink link;

    /**
     * What came of it.
     *
     * @param charged whether every bucket was charged
     * @param answers one for each bucket; empty if there is a failure
     * @param failure why Redis did not decide, or {@code null}
     */
    record Outcome(boolean charged, List<Answer> answers, @Nullable Throwable failure) {}

    /** Buckets that are asked for together, and what was answered. */
    private static final class Group {

        private final List<Integer> positions = new ArrayList<>();

        private final List<Bucket> buckets = new ArrayList<>();

        private @Nullable ScriptCall call;

        private boolean charged;

        private List<Answer> answers = List.of();

        void add(int position, Bucket bucket) {
            positions.add(position);
            buckets.add(bucket);
        }

        void read(Reply reply) {
            charged = reply.charged();
            answers = buckets.stream().map(reply::next).toList();
        }
    }

    JointAcquisition(ScriptRunner runner, RedisLink link) {
        this.runner = runner;
        this.link = link;
    }

    Outcome decide(List<Bucket> buckets, long deadlineNanos) {
        boolean oneByOne = needTurns(buckets);
        Collection<Group> groups = groups(buckets, oneByOne);
        if (!oneByOne) {
            groups.forEach(group -> group.call = runner.acquire(group.buckets));
        }
        Throwable failure = null;
        boolean charged = true;
        for (Group group : groups) {
            ScriptCall call = group.call == null ? next(group, charged) : group.call;
            byte[] reply = call.await(deadlineNanos);
            if (reply == null) {
                failure = call.failure();
                if (oneByOne) {
                    // The others would only wait for what is left of the same time.
                    break;
                }
            } else {
                group.read(new Reply(reply));
                charged &= group.charged;
            }
        }
        if (failure != null || !charged) {
            giveBack(groups, deadlineNanos);
        }
        return new Outcome(charged, failure == null ? answers(buckets.size(), groups) : List.of(), failure);
    }

    private ScriptCall next(Group group, boolean charge) {
        return charge ? runner.acquire(group.buckets) : runner.peek(group.buckets.get(0));
    }

    /** Two policies of one name are counted in one bucket, so the second must see what the first charged. */
    private static boolean needTurns(List<Bucket> buckets) {
        long different = buckets.stream().map(Bucket::name).distinct().count();
        int limits = buckets.stream()
                .mapToInt(bucket -> bucket.policy().limits().size())
                .sum();
        return different < buckets.size() || limits > Policy.MOST_LIMITS;
    }

    private Collection<Group> groups(List<Bucket> buckets, boolean oneByOne) {
        Map<Integer, Group> groups = new LinkedHashMap<>();
        for (int i = 0; i < buckets.size(); i++) {
            Bucket bucket = buckets.get(i);
            int slot = oneByOne ? i : link.clustered() ? slot(bucket) : 0;
            groups.computeIfAbsent(slot, any -> new Group()).add(i, bucket);
        }
        return groups.values();
    }

    private static int slot(Bucket bucket) {
        return ClusterSlotHashUtil.calculateSlot(bucket.name().getBytes(StandardCharsets.UTF_8));
    }

    private void giveBack(Collection<Group> groups, long deadlineNanos) {
        List<ScriptCall> refunds = new ArrayList<>();
        for (Group group : groups) {
            if (!group.charged) {
                continue;
            }
            for (int i = 0; i < group.buckets.size(); i++) {
                Bucket bucket = group.buckets.get(i);
                Acquisition asked = bucket.asked();
                if (asked.cost() > 0) {
                    Answer answer = group.answers.get(i);
                    refunds.add(runner.giveBack(
                            answer.charged(null, asked.policy(), asked.key(), asked.cost()), bucket.name()));
                }
            }
        }
        for (ScriptCall refund : refunds) {
            refund.awaitOrLeave(deadlineNanos);
        }
    }

    private static List<Answer> answers(int count, Collection<Group> groups) {
        Answer[] answers = new Answer[count];
        for (Group group : groups) {
            for (int i = 0; i < group.positions.size(); i++) {
                answers[group.positions.get(i)] = group.answers.get(i);
            }
        }
        return Arrays.asList(answers);
    }
}

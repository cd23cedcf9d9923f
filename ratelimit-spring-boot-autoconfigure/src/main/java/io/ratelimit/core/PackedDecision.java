package io.ratelimit.core;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link PackedState} decided, in 48 bytes: it keeps the word, which says everything together with the limit and the
 * time, and reads from it what it is asked for.
 */
final class PackedDecision extends Decision {

    /** The word as the decision left it, and in the lowest bit whether it refused. */
    private final long wordAndRefusal;

    private PackedDecision(
            @Nullable Refunds chargedBy, Policy policy, String key, long cost, long atMicros, long wordAndRefusal) {
        super(chargedBy, policy, key, cost, atMicros);
        this.wordAndRefusal = wordAndRefusal;
    }

    static PackedDecision admitted(
            @Nullable Refunds chargedBy, Policy policy, String key, long cost, long atMicros, long word) {
        return new PackedDecision(chargedBy, policy, key, cost, atMicros, word << 1);
    }

    static PackedDecision refused(Policy policy, String key, long cost, long atMicros, long word) {
        return new PackedDecision(null, policy, key, cost, atMicros, word << 1 | 1);
    }

    @Override
    public boolean allowed() {
        return (wordAndRefusal & 1) == 0;
    }

    @Override
    public long remaining() {
        return packing().left(word(), atMicros());
    }

    @Override
    public long retryAfterMicros() {
        if (allowed()) {
            return 0;
        }
        return cost() > packing().capacity() ? NEVER : packing().ticksUntil(word(), atMicros(), cost());
    }

    @Override
    public long resetAfterMicros() {
        long remaining = remaining();
        return remaining == packing().capacity() ? 0 : packing().ticksUntil(word(), atMicros(), remaining + 1);
    }

    @Override
    public long delayMicros() {
        return 0;
    }

    @Override
    public List<LimitStatus> limits() {
        return onlyLimit();
    }

    private long word() {
        return wordAndRefusal >> 1;
    }

    private Packing packing() {
        return Objects.requireNonNull(policy().packing());
    }
}

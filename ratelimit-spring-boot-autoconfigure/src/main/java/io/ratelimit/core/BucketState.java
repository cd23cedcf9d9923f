package io.ratelimit.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered for one key of one policy: one {@link LimitState} or, for several limits, a part for each.
 *
 * <p>A state belongs to one thread at a time. Its latest time and its owner share one word: a thread claims the state by
 * swapping in the same time with a mark, works on it alone, and releases it by writing the word without the mark. So the
 * word is lock, memory barrier and content in one, and a state stays within 40 bytes. Nobody parks: the work inside is a
 * few dozen instructions, so waiters spin and, in case the owner was preempted, yield. A state is born claimed by its
 * creator; a state that left the store is {@link #GONE} for ever. A {@link PackedState}, which has nothing but this word,
 * decides without being claimed.
 */
public abstract sealed class BucketState permits LimitState, SeveralStates {

    /** Claimed from a state that has left the store: look the key up again. */
    public static final Policy GONE = Policy.of("gone", Limit.ofMicros(Algorithm.FIXED_WINDOW, 0, 1_000));

    private static final int FEWEST_SPINS = 32;

    private static final int MOST_DOUBLINGS = 2;

    /** How often a thread waits for an owner before it lets others run: that one was probably preempted. */
    private static final int SPINNING_WAITS = 4;

    /** The lowest bits of the word; 0 for a state that nobody has. */
    private static final long MARKS = 3;

    private static final long CLAIMED = 1;

    private static final long LEFT = 2;

    private static final int MARK_BITS = 2;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(BucketState.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The latest time remembered, or all that a {@link PackedState} remembers, shifted, and a mark. */
    @SuppressWarnings("FieldMayBeFinal")
    private volatile long word = CLAIMED;

    /**
     * The policy of the last use, written by the owner alone and only where it changes. That of a {@link PackedState} is read and
     * written by all: whichever they see, its limits are the same.
     */
    private @Nullable Policy policy;

    BucketState() {}

    /** Creates a state whose policy is known before its first use. */
    BucketState(Policy policy) {
        this.policy = policy;
    }

    /**
     * Creates the state of a key that was never seen.
     *
     * @param policy the limits that will count
     * @return a state claimed by the caller
     */
    public static BucketState fresh(Policy policy) {
        List<Limit> limits = policy.limits();
        if (limits.size() == 1) {
            return LimitState.fresh(limits.get(0));
        }
        return new SeveralStates(limits.stream().map(LimitState::fresh).toArray(LimitState[]::new));
    }

    /**
     * Creates the state of a key that was never seen, in one word if possible: see {@link PackedState}.
     *
     * @param policy the limits that will count, under a clock that never runs backwards
     * @return a state claimed by the caller
     */
    public static BucketState freshAndPacked(Policy policy) {
        BucketState packed = PackedState.of(policy);
        return packed == null ? fresh(policy) : packed;
    }

    /**
     * Decides without claiming this state, if that is possible: only a {@link PackedState} can.
     *
     * @param chargedBy what takes back what is charged here
     * @param policy the limits that are to be counted
     * @param key the partition key
     * @param cost how many permits, at least 0
     * @param timeSource the clock
     * @return admitted or refused; {@code null} if this state must be claimed for it
     */
    public @Nullable Decision decideAtOnce(
            Refunds chargedBy, Policy policy, String key, long cost, TimeSource timeSource) {
        return null;
    }

    /**
     * Claims this state if nobody has it.
     *
     * @return the policy of its last use; {@code null} if another thread has it or it is {@link #GONE}
     */
    public final @Nullable Policy tryClaim() {
        long seen = word;
        return (seen & MARKS) == 0 && WORD.compareAndSet(this, seen, seen | CLAIMED) ? policy : null;
    }

    /**
     * Claims this state, waiting while other threads have it.
     *
     * @return the policy of its last use, to be released; or {@link #GONE}, in which case nothing was claimed
     */
    public final Policy claim() {
        Policy last = tryClaim();
        return last != null ? last : claimSpinning();
    }

    private Policy claimSpinning() {
        for (int lost = 0; (word & LEFT) == 0; lost++) {
            if (lost < SPINNING_WAITS) {
                backOff(lost);
            } else {
                Thread.yield();
            }
            Policy last = tryClaim();
            if (last != null) {
                return last;
            }
        }
        return GONE;
    }

    /**
     * Lets whoever was faster go on alone for some microseconds: two threads that keep taking the word from each other are slower
     * than one, for it has to travel between their processors each time.
     */
    static void backOff(int lost) {
        for (int i = FEWEST_SPINS << Math.min(lost, MOST_DOUBLINGS); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /**
     * Gives this state up to others.
     *
     * @param used the policy under which it was used last; {@link #GONE} when it leaves the store
     */
    public final void release(Policy used) {
        if (used == GONE) {
            WORD.setRelease(this, LEFT);
            return;
        }
        if (policy != used) {
            policy = used;
        }
        WORD.setRelease(this, (long) WORD.get(this) & ~MARKS);
    }

    /** What the owner put down, the latest time but in a {@link PackedState}; 0 at first. */
    final long noted() {
        return (long) WORD.get(this) >> MARK_BITS;
    }

    /** Puts something down, the latest time but in a {@link PackedState}. */
    final void note(long noted) {
        WORD.set(this, noted << MARK_BITS | CLAIMED);
    }

    /** What is put down; −1 if the state is claimed or has left the store. */
    final long unclaimed() {
        long seen = word;
        return (seen & MARKS) == 0 ? seen >> MARK_BITS : -1;
    }

    /** Puts something else down without claiming the state, if nobody else has done so and nobody has claimed it. */
    final boolean replace(long noted, long next) {
        return WORD.compareAndSet(this, noted << MARK_BITS, next << MARK_BITS);
    }

    /** The policy of the last use, which a {@link #packed} state has from the beginning. */
    final Policy lastPolicy() {
        return Objects.requireNonNull(policy);
    }

    /** Notes another policy with the same limits, so that they need not be compared again. */
    final void lastPolicy(Policy equal) {
        policy = equal;
    }

    /**
     * Tells whether this state can be read only with the limit with which it was written. Then it is to be {@link
     * #unpacked} before a policy is applied that it does not {@link #fits fit}.
     *
     * @return whether it is packed
     */
    public boolean packed() {
        return false;
    }

    /**
     * Returns a state that decides alike, but whose numbers do not depend on the limit.
     *
     * @param now the time on the clock
     * @return this state if it is not {@link #packed}; else another one, claimed by the caller
     */
    public BucketState unpacked(long now) {
        return this;
    }

    /** {@return the number of limits counted here} */
    public abstract int parts();

    /**
     * Returns the state of one limit.
     *
     * @param position of the limit in its policy, from 0
     * @return the part
     */
    public abstract LimitState part(int position);

    /**
     * Returns a copy that counts on its own.
     *
     * @return a state claimed by the caller
     */
    public abstract BucketState copy();

    /**
     * Tells whether a policy can go on with this state as it is.
     *
     * @param last the policy under which this state was used last
     * @param next the policy that is to be counted from now on
     * @return whether nothing but numbers of permits changed
     */
    public final boolean fits(Policy last, Policy next) {
        return last == next
                || (packed() ? last.limits().equals(next.limits()) : countAlike(last.limits(), next.limits()));
    }

    /**
     * Returns a state for a policy whose limits may have changed: a part whose algorithm and window are the same
     * continues as a copy, any other starts fresh.
     *
     * @param last the policy under which this state was used last
     * @param next the policy that is to be counted from now on
     * @return this state if it {@link #fits}; else another one, claimed by the caller
     */
    public final BucketState shapedFor(Policy last, Policy next) {
        if (fits(last, next)) {
            return this;
        }
        LimitState[] shaped = new LimitState[next.limits().size()];
        Arrays.setAll(shaped, position -> continued(last, next, position));
        return shaped.length == 1 ? shaped[0] : new SeveralStates(shaped);
    }

    private LimitState continued(Policy last, Policy next, int position) {
        Limit limit = next.limits().get(position);
        boolean same = position < parts() && last.limits().get(position).countsLike(limit);
        return same ? part(position).copy() : LimitState.fresh(limit);
    }

    private static boolean countAlike(List<Limit> some, List<Limit> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).countsLike(others.get(i))) {
                return false;
            }
        }
        return true;
    }
}

package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states that one call has claimed.
 *
 * <p>Two calls that want the same two states never wait for each other: states under own keys are claimed in the order
 * of policy names and keys, and shared ones after all of those, in the order of their places. Who holds a shared state
 * waits for no own one.
 */
final class Claims {

    private final Room room;

    private final List<Held> held = new ArrayList<>(4);

    Claims(Room room) {
        this.room = room;
    }

    /**
     * Claims the state under the key's own name, creating it if there is room.
     *
     * @return the claimed state; {@code null} if the key has none and must share
     */
    @Nullable
    Held claimOwn(KeyTable table, String key, Policy policy) {
        while (true) {
            BucketState state = table.get(key);
            if (state == null) {
                Claim made = create(table, key, policy);
                if (made != Claim.LOST) {
                    return made.held;
                }
            } else {
                Policy last = state.claim();
                if (last != BucketState.GONE) {
                    return hold(new Held(table, key, Held.OWN, state, last, false));
                }
            }
        }
    }

    /**
     * Claims the state that a key shares, creating it if nobody shares there.
     *
     * @return the claimed state, which this call may have claimed before for another key
     */
    Held claimShared(KeyTable table, String key, Policy policy) {
        int slot = table.overflow().slot(key);
        for (Held other : held) {
            if (other.isAt(table, slot)) {
                return other;
            }
        }
        while (true) {
            BucketState state = table.overflow().get(slot);
            if (state == null) {
                BucketState fresh = table.fresh(policy);
                if (table.overflow().add(slot, fresh)) {
                    return hold(new Held(table, key, slot, fresh, policy, true));
                }
            } else {
                Policy last = state.claim();
                if (last != BucketState.GONE) {
                    return hold(new Held(table, key, slot, state, last, false));
                }
            }
        }
    }

    /** Lets logs drop what has left their window. */
    void dropOld(long now) {
        for (Held one : held) {
            one.dropOld(now, room);
        }
    }

    /** Gives all states up to others. */
    void release() {
        for (Held one : held) {
            one.release(room);
        }
        held.clear();
    }

    /** The outcome of creating a state: done, or lost against another thread, or impossible for want of room. */
    private static final class Claim {

        static final Claim LOST = new Claim(null);

        static final Claim NO_ROOM = new Claim(null);

        private final @Nullable Held held;

        Claim(@Nullable Held held) {
            this.held = held;
        }
    }

    private Claim create(KeyTable table, String key, Policy policy) {
        int slot = table.overflow().slot(key);
        BucketState shared = table.overflow().get(slot);
        if (shared == null) {
            return publish(table, key, table.fresh(policy), policy);
        }
        Policy last = shared.claim();
        if (last == BucketState.GONE) {
            return Claim.LOST;
        }
        try {
            return publish(table, key, shared.copy(), last);
        } finally {
            shared.release(last);
        }
    }

    private Claim publish(KeyTable table, String key, BucketState state, Policy last) {
        long weight = Weight.of(state);
        if (!room.take(weight)) {
            return Claim.NO_ROOM;
        }
        if (!table.add(key, state)) {
            room.give(weight);
            return Claim.LOST;
        }
        return new Claim(hold(new Held(table, key, Held.OWN, state, last, true)));
    }

    private Held hold(Held one) {
        held.add(one);
        return one;
    }
}

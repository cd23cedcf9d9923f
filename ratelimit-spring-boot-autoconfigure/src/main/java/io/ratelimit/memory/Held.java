package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;

/** A state that the current call has claimed, and where it lives: under its own key or in a shared place. */
final class Held {

    /** Stands for the place of a state that lives under its own key. */
    static final int OWN = -1;

    private final KeyTable table;

    private final String key;

    private final int slot;

    private final BucketState stored;

    /** Whether this call put the state there, so that it has to take it away again if it charges nothing. */
    private final boolean born;

    private BucketState current;

    private Policy policy;

    private boolean charged;

    Held(KeyTable table, String key, int slot, BucketState state, Policy last, boolean born) {
        this.table = table;
        this.key = key;
        this.slot = slot;
        this.stored = state;
        this.current = state;
        this.policy = last;
        this.born = born;
    }

    boolean isAt(KeyTable otherTable, int otherSlot) {
        return table == otherTable && slot == otherSlot && slot != OWN;
    }

    /**
     * The state as it would be counted under a policy; kept only once it is charged. One that is unpacked for it is kept in any
     * case, since what was said of it under another limit holds from now on.
     */
    BucketState under(Policy next, long now) {
        if (current.packed() && !current.fits(policy, next)) {
            current = current.unpacked(now);
        }
        return current.shapedFor(policy, next);
    }

    void dropOld(long now, Room room) {
        Ruling.dropOld(stored, policy, now, space(room));
    }

    Space space(Room room) {
        return slot == OWN ? room : table.overflow();
    }

    /** Keeps the state as it is counted under a policy, which is about to be charged. */
    void adopt(BucketState state, Policy under, Room room) {
        if (state != current && slot == OWN) {
            room.exchange(Weight.of(current), Weight.of(state));
        }
        current = state;
        policy = under;
        charged = true;
    }

    /** Gives the state up to others, or takes it away if it came for nothing. */
    void release(Room room) {
        if (born && !charged) {
            leave(room);
        } else if (current == stored) {
            stored.release(policy);
        } else {
            exchange(room);
        }
    }

    /** Takes the state away. */
    void leave(Room room) {
        if (slot == OWN) {
            long weight = Weight.of(stored);
            table.remove(key, stored);
            room.give(weight);
        } else {
            table.overflow().remove(slot, stored);
        }
    }

    private void exchange(Room room) {
        if (slot == OWN) {
            table.replace(key, stored, current);
        } else {
            table.overflow().replace(slot, stored, current);
        }
        current.release(policy);
    }
}

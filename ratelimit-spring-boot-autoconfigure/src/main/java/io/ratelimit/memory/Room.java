package io.ratelimit.memory;

import io.ratelimit.core.SlidingLog;
import java.util.concurrent.atomic.AtomicLong;

/** The bound of the store: so much may be remembered, and never more. */
final class Room implements Space {

    private final long most;

    private final Eviction eviction;

    private final AtomicLong taken = new AtomicLong();

    Room(long most, Eviction eviction) {
        this.most = most;
        this.eviction = eviction;
    }

    long taken() {
        return taken.get();
    }

    /** Takes room for so much, making some if need be. */
    boolean take(long weight) {
        while (!takeFree(weight)) {
            if (!eviction.evictOne(this)) {
                // The sweeper may have made room meanwhile.
                return takeFree(weight);
            }
        }
        return true;
    }

    void give(long weight) {
        taken.addAndGet(-weight);
    }

    /**
     * Accounts for a state that takes another's place. It is there already and must stay, so the few entries by which it
     * may outweigh the other are taken even from a full store.
     */
    void exchange(long before, long after) {
        if (after <= before || !take(after - before)) {
            taken.addAndGet(after - before);
        }
    }

    @Override
    public boolean grow(SlidingLog log) {
        return take(1);
    }

    @Override
    public void shrink(long entries) {
        give(entries);
    }

    private boolean takeFree(long weight) {
        long now = taken.get();
        while (now + weight <= most) {
            if (taken.compareAndSet(now, now + weight)) {
                return true;
            }
            now = taken.get();
        }
        return false;
    }
}

package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;
import java.util.Iterator;
import java.util.Map;

/**
 * Forgets idle states, a few at a time, on a thread of its own. A state is claimed for the look alone and passed over if
 * somebody has it, so nobody who decides waits longer than for a decision.
 */
final class Sweeper implements Runnable {

    private static final int BATCH = 500;

    private static final long BETWEEN_BATCHES_MILLIS = 1;

    private static final long BETWEEN_ROUNDS_MILLIS = 1_000;

    private final KeyTables tables;

    private final Usage usage;

    private final Room room;

    private final Thread thread = new Thread(this, "ratelimit-sweeper");

    Sweeper(KeyTables tables, Usage usage, Room room) {
        this.tables = tables;
        this.usage = usage;
        this.room = room;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    @Override
    public void run() {
        try {
            while (true) {
                pause(BETWEEN_ROUNDS_MILLIS);
                sweepInBatches();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One whole round without a break. */
    void sweep() {
        for (KeyTable table : tables.all()) {
            Iterator<Map.Entry<String, BucketState>> entries = table.iterator();
            while (entries.hasNext()) {
                sweepBatch(table, entries);
            }
            table.overflow().sweep(usage);
        }
    }

    private void sweepInBatches() throws InterruptedException {
        for (KeyTable table : tables.all()) {
            Iterator<Map.Entry<String, BucketState>> entries = table.iterator();
            while (entries.hasNext()) {
                sweepBatch(table, entries);
                pause(BETWEEN_BATCHES_MILLIS);
            }
            table.overflow().sweep(usage);
        }
    }

    private void sweepBatch(KeyTable table, Iterator<Map.Entry<String, BucketState>> entries) {
        for (int i = 0; i < BATCH && entries.hasNext(); i++) {
            Map.Entry<String, BucketState> entry = entries.next();
            BucketState state = entry.getValue();
            Policy last = state.tryClaim();
            if (last != null) {
                look(table, entry.getKey(), state, last);
            }
        }
    }

    private void look(KeyTable table, String key, BucketState state, Policy last) {
        usage.dropOld(state, last, room);
        if (usage.idle(state, last)) {
            long weight = Weight.of(state);
            table.remove(key, state);
            room.give(weight);
        } else {
            state.release(last);
        }
    }

    private synchronized void pause(long millis) throws InterruptedException {
        wait(millis);
    }
}

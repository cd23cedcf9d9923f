package io.ratelimit.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass, with and without a thread. */
interface Pause {

    /**
     * Waits on this thread.
     *
     * @param micros how long
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    void await(long micros) throws InterruptedException;

    /**
     * Waits without a thread.
     *
     * @param micros how long
     * @return completes then; to be cancelled if nobody waits any more
     */
    CompletableFuture<Void> after(long micros);

    /** Waits in real time. */
    static Pause real() {
        return new Pause() {
            @Override
            public void await(long micros) throws InterruptedException {
                long deadline = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
                for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    LockSupport.parkNanos(this, left);
                }
            }

            @Override
            public CompletableFuture<Void> after(long micros) {
                return new CompletableFuture<Void>().completeOnTimeout(null, micros, TimeUnit.MICROSECONDS);
            }
        };
    }
}

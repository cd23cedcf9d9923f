package io.ratelimit.memory;

import io.ratelimit.core.SlidingLog;

/** Decides whether a log may have another entry. */
interface Space {

    /**
     * Asks for one more entry of a log that has some.
     *
     * @param log the log that would grow
     * @return whether it may
     */
    boolean grow(SlidingLog log);

    /**
     * Gives entries back.
     *
     * @param entries how many
     */
    void shrink(long entries);
}

package io.ratelimit.actuate;

import io.ratelimit.core.Limit;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes limits while the application runs: all that was asked for, or nothing. Counts are kept. */
public interface LimitControl {

    /**
     * Reads policies, rules and the placeholders of annotations again from the environment.
     *
     * @return what has changed, or why nothing has
     */
    Reload reload();

    /**
     * Changes the limits of one name.
     *
     * @param name a policy of the configuration, or a rule or limited method with limits of its own
     * @param change makes the new limits of the old
     * @return the limits from now on
     * @throws RuntimeException if they cannot work, with a message that names the remedy; the old ones stay
     */
    List<Limit> change(String name, UnaryOperator<List<Limit>> change);

    /**
     * What became of a changed environment.
     *
     * @param accepted whether it is in force now; otherwise everything stays as it was
     * @param problem why it was refused; empty if it was not
     * @param changed what is limited otherwise than before, in words; empty if nothing is
     * @param needRestart properties that were changed but are only read at start-up
     */
    record Reload(boolean accepted, String problem, List<String> changed, List<String> needRestart) {

        /** Copies. */
        public Reload {
            changed = List.copyOf(changed);
            needRestart = List.copyOf(needRestart);
        }

        /**
         * A refused environment.
         *
         * @param problem why
         * @return the answer
         */
        public static Reload refused(String problem) {
            return new Reload(false, problem, List.of(), List.of());
        }
    }
}

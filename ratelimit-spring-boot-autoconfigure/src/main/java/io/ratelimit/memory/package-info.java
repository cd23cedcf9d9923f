/** Counts in this node's memory: atomic per key, bounded, and forgotten by itself when idle. No Spring. */
@NullMarked
package io.ratelimit.memory;

import org.jspecify.annotations.NullMarked;

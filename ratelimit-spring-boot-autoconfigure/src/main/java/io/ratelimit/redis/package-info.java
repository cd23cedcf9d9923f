/** Counts in Redis, shared by all nodes: one script call for each decision, and an answer ready when Redis has none. */
@NullMarked
package io.ratelimit.redis;

import org.jspecify.annotations.NullMarked;

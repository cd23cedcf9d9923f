/**
 * What a rate limit is and how it decides: limits, policies, decisions and the five algorithms. Plain Java, no Spring.
 */
@NullMarked
package io.ratelimit.core;

import org.jspecify.annotations.NullMarked;

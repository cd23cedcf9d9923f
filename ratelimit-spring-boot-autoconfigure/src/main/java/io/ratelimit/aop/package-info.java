/** Puts {@code @RateLimited} into effect on beans. */
@NullMarked
package io.ratelimit.aop;

import org.jspecify.annotations.NullMarked;

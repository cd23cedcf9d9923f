/** A small shop whose API is rate limited, and a playground that shows how the five algorithms decide. */
@NullMarked
package io.ratelimit.sample;

import org.jspecify.annotations.NullMarked;

/** The playground: one traffic, five algorithms, side by side. */
@NullMarked
package io.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;

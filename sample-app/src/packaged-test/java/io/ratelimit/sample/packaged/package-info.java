/** The packaged sample, started as a user starts it and seen from outside. */
@NullMarked
package io.ratelimit.sample.packaged;

import org.jspecify.annotations.NullMarked;

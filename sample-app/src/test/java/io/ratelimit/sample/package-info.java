/** The sample as its visitors meet it: a real server, real HTTP, a clock that is set by hand. */
@NullMarked
package io.ratelimit.sample;

import org.jspecify.annotations.NullMarked;

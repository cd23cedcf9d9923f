/** What every backend must do, as tests to inherit. */
@NullMarked
package io.ratelimit.testing;

import org.jspecify.annotations.NullMarked;

/** The playground in a real browser. */
@NullMarked
package io.ratelimit.sample.browser;

import org.jspecify.annotations.NullMarked;

/** Tests of the playground's server side. */
@NullMarked
package io.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;

/** Tests of what operators see of the sample. */
@NullMarked
package io.ratelimit.sample.operations;

import org.jspecify.annotations.NullMarked;

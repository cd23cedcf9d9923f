/** The annotation that limits a method. */
@NullMarked
package io.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;

/** SpEL for keys, costs and conditions, compiled once. */
@NullMarked
package io.ratelimit.expression;

import org.jspecify.annotations.NullMarked;

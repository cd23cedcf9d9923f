/** Wires everything; the only package that sees all others. */
@NullMarked
package io.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;

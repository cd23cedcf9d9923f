/** The limiter beside its floor and its peers: speed, memory, accuracy. Each program prints a Markdown table. */
@NullMarked
package io.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;

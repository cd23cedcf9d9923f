/** Tests of the shop. */
@NullMarked
package io.ratelimit.sample.shop;

import org.jspecify.annotations.NullMarked;

/** The shop: each endpoint shows one way to limit requests. */
@NullMarked
package io.ratelimit.sample.shop;

import org.jspecify.annotations.NullMarked;

/** Puts rules into effect on HTTP requests, and turns decisions into headers and 429s. */
@NullMarked
package io.ratelimit.web;

import org.jspecify.annotations.NullMarked;

/** What operators see and change: endpoint and metrics. */
@NullMarked
package io.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;

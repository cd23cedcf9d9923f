/** The one place where filter and annotation meet: from a matched limit to key, cost and condition, to a decision and what follows from it. */
@NullMarked
package io.ratelimit.enforcement;

import org.jspecify.annotations.NullMarked;

package io.ratelimit.enforcement;

import io.ratelimit.core.Policy;
import io.ratelimit.expression.CountWhenExpression;
import org.jspecify.annotations.Nullable;

/**
 * The policy that decides on one request.
 *
 * @param origin what it was made from, to notice a change
 * @param policy the limits under the bucket's name
 * @param wireName the name for clients
 * @param countWhen decides afterwards whether the request counts; {@code null} if it always does
 */
record ChosenPolicy(PolicyDefinition origin, Policy policy, String wireName, @Nullable CountWhenExpression countWhen) {}

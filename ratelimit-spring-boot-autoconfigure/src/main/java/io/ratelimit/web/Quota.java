package io.ratelimit.web;

import io.ratelimit.core.Decision;
import io.ratelimit.core.RateLimitExceededException;
import java.util.List;

/**
 * What a response tells about one policy.
 *
 * @param wireName the name it goes by on the wire
 * @param decision what it said to this request
 */
record Quota(String wireName, Decision decision) {

    static List<Quota> of(RateLimitExceededException rejection) {
        return rejection.violations().stream()
                .map(violation -> new Quota(violation.name(), violation.decision()))
                .toList();
    }
}

package io.ratelimit.actuate;

import io.ratelimit.core.Decision;

/**
 * Published when a limit refused a request or a call, on its thread. Listen with {@code @EventListener}; a listener that
 * takes long should be asynchronous. With {@code ratelimit.events.interval} there is at most one event for each name in
 * that time.
 *
 * @param name name of the limit as clients see it
 * @param subject the limit in messages, such as "rule 'api'" or "method CatalogController.search"
 * @param key whose permits were asked for, as it may be shown: keys that may be credentials appear as a hash
 * @param decision the refusal
 * @param suppressed how many refusals of this name had no event since the last one
 */
public record RateLimitExceededEvent(String name, String subject, String key, Decision decision, long suppressed) {}

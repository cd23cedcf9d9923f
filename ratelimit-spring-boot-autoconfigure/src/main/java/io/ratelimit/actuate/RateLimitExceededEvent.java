package io.ratelimit.actuate;

import io.ratelimit.core.Decision;

/**
 * Published when a limit refused a request or a call, on its thread. Listen with {@code @EventListener}; a listener that
 * takes long should be asynchronous.
 *
 * @param name name of the limit as clients see it
 * @param subject the limit in messages, such as "rule 'api'" or "method CatalogController.search"
 * @param key whose permits were asked for, as it may be shown: keys that may be credentials appear as a hash
 * @param decision the refusal
 */
public record RateLimitExceededEvent(String name, String subject, String key, Decision decision) {}

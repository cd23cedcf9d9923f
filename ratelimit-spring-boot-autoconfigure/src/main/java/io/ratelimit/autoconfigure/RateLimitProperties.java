package io.ratelimit.autoconfigure;

import io.ratelimit.core.FailurePolicy;
import io.ratelimit.enforcement.MissingKey;
import io.ratelimit.web.ClientAddress.ForwardingHeader;
import io.ratelimit.web.HeaderDialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything that can be set under {@code ratelimit.*}. A key that is not listed here stops the application at start-up,
 * so that a misspelled limit is never silently no limit.
 *
 * @param enabled Whether requests and method calls are limited at all.
 * @param backend Where permits are counted.
 * @param defaultKey Partition key, in SpEL, of rules and annotations that name none.
 * @param missingKey What happens when a partition key is null or empty, or its expression fails.
 * @param maxWaiting Number of requests that may wait at a time for their turn in a leaky bucket's queue.
 * @param shadow Whether every limit only decides and is measured, and never refuses.
 * @param policies Named policies, for rules, annotations and the RateLimiter bean.
 * @param rules Limits for HTTP requests by path.
 * @param web HTTP settings.
 * @param aspect Settings of the aspect behind the RateLimited annotation.
 * @param clientIp How the client's address is found.
 * @param memory Settings of the memory backend.
 * @param redis Settings of the Redis backend.
 * @param metrics Settings of the meters.
 * @param endpoint Settings of the Actuator endpoint.
 * @param events Settings of the events.
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("memory") BackendType backend,
        @DefaultValue("principal?.name ?: ip") String defaultKey,
        @DefaultValue("client-ip") MissingKey missingKey,
        @DefaultValue("1000") int maxWaiting,
        @DefaultValue("false") boolean shadow,
        @DefaultValue Map<String, PolicyProperties> policies,
        @DefaultValue List<RuleProperties> rules,
        @DefaultValue Web web,
        @DefaultValue Aspect aspect,
        @DefaultValue ClientIp clientIp,
        @DefaultValue Memory memory,
        @DefaultValue Redis redis,
        @DefaultValue Metrics metrics,
        @DefaultValue Endpoint endpoint,
        @DefaultValue Events events) {

    /** Where permits are counted. */
    public enum BackendType {
        /** In the memory of this node. */
        MEMORY,
        /** In Redis, shared by all nodes. */
        REDIS
    }

    /**
     * Settings of the meters.
     *
     * @param nearLimit Percentage of a limit that has to be used up to be counted as near it.
     */
    public record Metrics(@DefaultValue("80") int nearLimit) {}

    /**
     * Settings of the Actuator endpoint.
     *
     * @param refusals Number of refusals, the last ones, among which the endpoint counts who was refused most.
     * @param showKeys Whether the endpoint lists refused keys as they are stored; they appear as hashes otherwise.
     */
    public record Endpoint(@DefaultValue("4096") int refusals, @DefaultValue("false") boolean showKeys) {}

    /**
     * Settings of the events.
     *
     * @param interval Time that passes between two events of one limit at least; 0 publishes an event for each refusal.
     */
    public record Events(@DefaultValue("0s") Duration interval) {}

    /**
     * HTTP settings.
     *
     * @param headers Dialects of the quota headers on responses.
     */
    public record Web(@DefaultValue("ietf") List<HeaderDialect> headers) {}

    /**
     * Settings of the aspect behind the RateLimited annotation.
     *
     * @param order Order of the aspect among others; the smallest, which is the default, is the outermost.
     */
    public record Aspect(@DefaultValue("" + Integer.MIN_VALUE) int order) {}

    /**
     * How the client's address is found.
     *
     * @param trustedProxies Addresses or CIDR ranges of the reverse proxies whose forwarding header is believed.
     * @param header Forwarding header that the trusted proxies write.
     * @param ipv6Prefix Number of leading bits of an IPv6 address that identify a client.
     */
    public record ClientIp(
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("x-forwarded-for") ForwardingHeader header,
            @DefaultValue("64") int ipv6Prefix) {}

    /**
     * Settings of the memory backend.
     *
     * @param maxKeys Number of partition keys that are tracked at most; log entries count as well.
     */
    public record Memory(@DefaultValue("1000000") int maxKeys) {}

    /**
     * Settings of the Redis backend.
     *
     * @param keyPrefix Beginning of every Redis key that is written.
     * @param timeout Time after which a decision no longer waits for Redis, obtaining a connection included.
     * @param onFailure What happens to a decision while Redis cannot be reached.
     * @param denyCache Settings of the cache of refusals.
     */
    public record Redis(
            @DefaultValue("ratelimit:") String keyPrefix,
            @DefaultValue("100ms") Duration timeout,
            @DefaultValue("local") FailurePolicy onFailure,
            @DefaultValue DenyCache denyCache) {

        /**
         * Settings of the cache of refusals, which spares Redis the requests of refused clients.
         *
         * @param enabled Whether a key that Redis refused is refused without Redis until it could be admitted.
         * @param maxAge Time after which Redis is asked again, however long the refusal lasts.
         * @param maxEntries Number of refused keys that are remembered at most.
         */
        public record DenyCache(
                @DefaultValue("true") boolean enabled,
                @DefaultValue("1s") Duration maxAge,
                @DefaultValue("100000") int maxEntries) {}
    }
}

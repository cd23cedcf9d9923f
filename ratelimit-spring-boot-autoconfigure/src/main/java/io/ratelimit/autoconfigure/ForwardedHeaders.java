package io.ratelimit.autoconfigure;

import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.env.Environment;

/** Warns of the one combination of settings in which every client can choose its own address. */
final class ForwardedHeaders {

    private static final Log LOG = LogFactory.getLog(RateLimitAutoConfiguration.class);

    private static final String STRATEGY = "server.forward-headers-strategy";

    private ForwardedHeaders() {}

    static void warnIfForgeable(Environment environment, List<String> trustedProxies) {
        if (trustedProxies.isEmpty() && "framework".equalsIgnoreCase(environment.getProperty(STRATEGY))) {
            LOG.warn(STRATEGY + "=framework believes the leftmost address of X-Forwarded-For and Forwarded, which the"
                    + " client itself may have written: limits by address can be walked around. Set"
                    + " ratelimit.client-ip.trusted-proxies to the ranges of your proxies, such as 10.0.0.0/8, or use"
                    + " the strategy native");
        }
    }
}

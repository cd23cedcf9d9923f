package io.ratelimit.autoconfigure;

import io.ratelimit.actuate.KnownAttributes;
import io.ratelimit.actuate.LimitControl;
import io.ratelimit.actuate.LimitReport;
import io.ratelimit.actuate.RateLimitEndpoint;
import io.ratelimit.actuate.RateLimitEndpointWebExtension;
import io.ratelimit.actuate.RecentRefusals;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.PolicyRegistry;
import java.util.Locale;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Configures the Actuator endpoint {@code ratelimit}, available and exposed like every other endpoint. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitEndpointAutoConfiguration {

    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    RateLimitEndpoint rateLimitEndpoint(
            RateLimiter limiter,
            LimitRegistry limits,
            PolicyRegistry policies,
            LimitControl control,
            RecentRefusals refusals,
            RateLimitProperties properties,
            BeanFactory beans) {
        String backend = properties.backend().name().toLowerCase(Locale.ROOT);
        LimitReport.Phases phases =
                SecurityChain.isPresent(beans) ? LimitReport.Phases.SHOWN : LimitReport.Phases.HIDDEN;
        return new RateLimitEndpoint(limiter, limits, policies, control, refusals, backend, phases);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitEndpoint.class)
    @ConditionalOnMissingBean
    RecentRefusals rateLimitRecentRefusals(RateLimitProperties properties, TimeSource timeSource) {
        RateLimitProperties.Endpoint settings = properties.endpoint();
        RecentRefusals.Names names = settings.showKeys() ? RecentRefusals.Names.CLEAR : RecentRefusals.Names.HASHED;
        return PropertyChecks.checked(
                "ratelimit.endpoint", () -> new RecentRefusals(timeSource, settings.refusals(), names));
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitEndpoint.class, exposure = EndpointExposure.WEB)
    @ConditionalOnMissingBean
    RateLimitEndpointWebExtension rateLimitEndpointWebExtension(RateLimitEndpoint endpoint) {
        return new RateLimitEndpointWebExtension(endpoint);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitEndpoint.class, exposure = EndpointExposure.WEB)
    @ConditionalOnMissingBean
    KnownAttributes rateLimitKnownAttributes() {
        return new KnownAttributes();
    }
}

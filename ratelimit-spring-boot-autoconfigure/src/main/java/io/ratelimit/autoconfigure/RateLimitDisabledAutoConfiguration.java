package io.ratelimit.autoconfigure;

import io.ratelimit.core.Backend;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.enforcement.PolicyRegistry;
import io.ratelimit.enforcement.PolicyResolver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * With {@code ratelimit.enabled=false} nothing is limited, but what an application injects is still there: a limiter that
 * admits everything.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "ratelimit.enabled", havingValue = "false")
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitDisabledAutoConfiguration {

    @Bean
    static ConfigurationPropertiesBindHandlerAdvisor rateLimitStrictBinding() {
        return StrictBinding::new;
    }

    @Bean
    @ConditionalOnMissingBean
    TimeSource rateLimitTimeSource() {
        return new DefaultTimeSource();
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimiter(
            RateLimitProperties properties,
            ObjectProvider<PolicyResolver> resolvers,
            TimeSource timeSource,
            ObjectProvider<Backend> backend) {
        PolicyRegistry policies = new PolicyRegistry(
                ConfiguredPolicies.read(properties.policies()),
                resolvers.orderedStream().toList(),
                timeSource);
        return new PolicyRateLimiter(policies, backend.getIfAvailable(UnlimitedBackend::new));
    }
}

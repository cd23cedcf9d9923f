package io.ratelimit.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.ratelimit.actuate.DecisionMetrics;
import io.ratelimit.actuate.OccupancyMetrics;
import io.ratelimit.actuate.RedisMetrics;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.WaitingRoom;
import io.ratelimit.memory.MemoryBackend;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Configures the meters of the limiter where the application has a meter registry. */
@AutoConfiguration(
        after = RateLimitAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DecisionMetrics rateLimitDecisionMetrics(
            MeterRegistry meters, LimitRegistry limits, RateLimitProperties properties) {
        return PropertyChecks.checked(
                "ratelimit.metrics",
                () -> new DecisionMetrics(meters, limits, properties.metrics().nearLimit()));
    }

    @Bean
    @ConditionalOnMissingBean
    OccupancyMetrics rateLimitOccupancyMetrics(
            ListableBeanFactory beans, WaitingRoom waitingRoom, LimitRegistry limits) {
        MemoryBackend memory = beans.getBeansOfType(MemoryBackend.class).values().stream()
                .findFirst()
                .orElse(null);
        return new OccupancyMetrics(memory, waitingRoom, limits);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "ratelimit.backend", havingValue = "redis")
    RedisMetrics rateLimitRedisMetrics(MeterRegistry meters) {
        return new RedisMetrics(meters);
    }
}

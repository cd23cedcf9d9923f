package io.ratelimit.autoconfigure;

import io.ratelimit.actuate.DecisionLog;
import io.ratelimit.actuate.RefusalEvents;
import io.ratelimit.aop.MethodPlans;
import io.ratelimit.core.Backend;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.EnforcementListener;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.enforcement.PolicyRegistry;
import io.ratelimit.enforcement.PolicyResolver;
import io.ratelimit.enforcement.RequestLedger;
import io.ratelimit.enforcement.WaitingRoom;
import io.ratelimit.expression.ExpressionCompiler;
import io.ratelimit.memory.MemoryBackend;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/** Configures the limiter itself: policies, expressions, the backend and the place where limits are enforced. */
@AutoConfiguration
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitAutoConfiguration {

    private static final Log LOG = LogFactory.getLog(RateLimitAutoConfiguration.class);

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
    @ConditionalOnMissingBean(Backend.class)
    MemoryBackend rateLimitMemoryBackend(RateLimitProperties properties, TimeSource timeSource) {
        PropertyChecks.requireRedisNotWanted(properties);
        MemoryBackend backend = PropertyChecks.memoryBackend(properties, timeSource);
        LOG.info("limits are counted in this node's memory, at most %d keys"
                .formatted(properties.memory().maxKeys()));
        return backend;
    }

    @Bean
    @ConditionalOnMissingBean
    PolicyRegistry rateLimitPolicyRegistry(
            RateLimitProperties properties, ObjectProvider<PolicyResolver> resolvers, TimeSource timeSource) {
        return new PolicyRegistry(
                ConfiguredPolicies.read(properties.policies()),
                resolvers.orderedStream().toList(),
                timeSource);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitRegistry rateLimitRegistry() {
        return new LimitRegistry();
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimiter(PolicyRegistry policies, Backend backend) {
        return new PolicyRateLimiter(policies, backend);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitSpecFactory rateLimitSpecFactory(
            RateLimitProperties properties,
            PolicyRegistry policies,
            LimitRegistry registry,
            BeanFactory beanFactory,
            ResourceLoader resourceLoader) {
        return new LimitSpecFactory(
                policies,
                registry,
                new ExpressionCompiler(beanFactory, resourceLoader.getClassLoader()),
                properties.defaultKey(),
                properties.shadow() ? LimitSpecFactory.Mode.SHADOW : LimitSpecFactory.Mode.ENFORCE);
    }

    @Bean
    @ConditionalOnMissingBean
    WaitingRoom rateLimitWaitingRoom(RateLimitProperties properties) {
        return new WaitingRoom(properties.maxWaiting());
    }

    @Bean
    @ConditionalOnMissingBean
    Enforcer rateLimitEnforcer(
            RateLimitProperties properties,
            RateLimiter limiter,
            WaitingRoom waitingRoom,
            ObjectProvider<RequestLedger.Access> ledgers,
            ObjectProvider<EnforcementListener> listeners) {
        return new Enforcer(
                limiter,
                properties.missingKey(),
                waitingRoom,
                ledgers.getIfAvailable(RequestLedger.Access::none),
                listeners.orderedStream().toList());
    }

    @Bean
    LiveConfiguration rateLimitLiveConfiguration(
            Environment environment,
            RateLimitProperties properties,
            PolicyRegistry policies,
            LimitRegistry limits,
            LimitSpecFactory factory,
            ObjectProvider<LiveRules> rules,
            ObjectProvider<MethodPlans> methods) {
        return new LiveConfiguration(
                environment,
                properties,
                new LiveConfiguration.InForce(policies, limits, factory),
                rules.getIfAvailable(),
                methods.getIfAvailable());
    }

    @Bean
    EnvironmentChanges rateLimitEnvironmentChanges(ObjectProvider<LiveConfiguration> configuration) {
        return new EnvironmentChanges(configuration);
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalEvents rateLimitRefusalEvents(
            ApplicationEventPublisher publisher, TimeSource timeSource, RateLimitProperties properties) {
        return PropertyChecks.checked(
                "ratelimit.events",
                () -> new RefusalEvents(
                        publisher, timeSource, properties.events().interval()));
    }

    @Bean
    @ConditionalOnMissingBean
    DecisionLog rateLimitDecisionLog() {
        return new DecisionLog();
    }
}

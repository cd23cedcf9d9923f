package io.ratelimit.autoconfigure;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.aop.MethodPlans;
import io.ratelimit.aop.RateLimitAdvisorSorter;
import io.ratelimit.aop.RateLimitPostProcessor;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.expression.CurrentRequest;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Configures the aspect behind {@link RateLimited}. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class RateLimitAspectAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MethodPlans rateLimitMethodPlans(
            ConfigurableListableBeanFactory beanFactory,
            LimitSpecFactory specs,
            Enforcer enforcer,
            ObjectProvider<CurrentRequest> currentRequest) {
        return new MethodPlans(beanFactory, specs, enforcer, currentRequest.getIfAvailable(CurrentRequest::none));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitPostProcessor rateLimitPostProcessor(ObjectProvider<MethodPlans> plans, Environment environment) {
        Binder binder = Binder.get(environment);
        int order = binder.bind("ratelimit.aspect.order", Integer.class).orElse(Integer.MIN_VALUE);
        RateLimitPostProcessor processor = new RateLimitPostProcessor(plans::getObject, order);
        processor.setProxyTargetClass(
                binder.bind("spring.aop.proxy-target-class", Boolean.class).orElse(true));
        return processor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitAdvisorSorter rateLimitAdvisorSorter() {
        return new RateLimitAdvisorSorter();
    }
}

package io.ratelimit.aop;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;

/**
 * Puts the limits of a bean back into their place. They have to be on the bean early, so that listeners and schedulers
 * find the limited bean; but {@code @Async}, {@code @Retryable} and the like come later and put themselves first. Spring
 * runs a post-processor of this kind after all of them.
 */
public final class RateLimitAdvisorSorter implements MergedBeanDefinitionPostProcessor, Ordered {

    /** Creates the post-processor. */
    public RateLimitAdvisorSorter() {}

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {
        // Nothing to learn from the definition.
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor instanceof RateLimitAdvisor limits) {
                    limits.rejoin(advised);
                }
            }
        }
        return bean;
    }
}

package io.ratelimit.aop;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.Ordered;

/**
 * Wraps beans with limited methods. Where a bean is a proxy already, the limits take their place among its advisors:
 * outermost by default, so that a refused call costs no transaction, no retry and no thread. Needs a
 * {@link RateLimitAdvisorSorter} beside it.
 */
public final class RateLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1L;

    private static final Log LOG = LogFactory.getLog(RateLimitPostProcessor.class);

    private final transient LimitedMethods limitedMethods = new LimitedMethods();

    private final transient RateLimitInterceptor interceptor;

    private final transient Set<Class<?>> prepared = ConcurrentHashMap.newKeySet();

    private final RateLimitAdvisor limits;

    /**
     * Creates the post-processor. It wraps classes, not interfaces, unless {@link #setProxyTargetClass} says otherwise.
     *
     * @param plans asked for when the first limited bean is created
     * @param adviceOrder place among the advisors of a bean, see {@link Ordered}
     */
    public RateLimitPostProcessor(Supplier<MethodPlans> plans, int adviceOrder) {
        this.interceptor = new RateLimitInterceptor(plans);
        this.limits = new RateLimitAdvisor(limitedMethods, interceptor, adviceOrder);
        this.advisor = limits;
        setProxyTargetClass(true);
        // After the auto-proxy creator, but before listeners and schedulers take hold of the bean.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            if (isEligible(AopUtils.getTargetClass(bean)) || isAnyEligible(advised.getProxiedInterfaces())) {
                limits.join(advised);
            }
            return bean;
        }
        if (isUnproxyable(bean)) {
            LOG.warn("%s: @RateLimited has no effect, because the class is final; make it overridable"
                    .formatted(bean.getClass().getName()));
            return bean;
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    @Override
    protected boolean isEligible(Class<?> targetClass) {
        boolean limited = limitedMethods.isLimited(targetClass);
        if (limited && prepared.add(targetClass)) {
            interceptor.plans().prepare(targetClass);
        }
        return limited;
    }

    private boolean isAnyEligible(Class<?>[] interfaces) {
        return Arrays.stream(interfaces).anyMatch(this::isEligible);
    }

    private boolean isUnproxyable(Object bean) {
        Class<?> type = bean.getClass();
        return Modifier.isFinal(type.getModifiers())
                && !Proxy.isProxyClass(type)
                && isProxyTargetClass()
                && limitedMethods.isLimited(type);
    }
}

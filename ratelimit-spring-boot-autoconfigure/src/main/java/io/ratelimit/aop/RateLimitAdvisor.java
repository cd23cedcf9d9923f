package io.ratelimit.aop;

import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/** The limits among the advisors of a proxy, and the place where they belong. */
final class RateLimitAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    RateLimitAdvisor(Pointcut pointcut, Advice advice, int order) {
        super(pointcut, advice);
        setOrder(order);
    }

    /** Takes the place before all advisors of the same or a higher order. */
    void join(Advised advised) {
        advised.addAdvisor(position(advised), this);
    }

    /** Takes that place again, if others were put before it since. */
    void rejoin(Advised advised) {
        if (advised.indexOf(this) > position(advised)) {
            advised.removeAdvisor(this);
            join(advised);
        }
    }

    private int position(Advised advised) {
        Advisor[] advisors = advised.getAdvisors();
        int position = 0;
        while (position < advisors.length && order(advisors[position]) < getOrder()) {
            position++;
        }
        return position;
    }

    private static int order(Advisor advisor) {
        return advisor instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
    }
}

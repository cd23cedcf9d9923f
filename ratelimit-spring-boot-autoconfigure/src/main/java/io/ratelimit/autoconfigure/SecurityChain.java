package io.ratelimit.autoconfigure;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.Environment;

/** Where Spring Security's filter chain stands, if the application has one. */
final class SecurityChain {

    private static final String BEAN = "springSecurityFilterChain";

    /** Where it stands unless {@code spring.security.filter.order} says otherwise. */
    private static final int DEFAULT_ORDER = -100;

    private SecurityChain() {}

    static boolean isPresent(BeanFactory beans) {
        return beans.containsBean(BEAN);
    }

    /** {@return the order of its filter among those of {@link FilterRegistrationBean}s} */
    static int order(Environment environment) {
        return environment.getProperty("spring.security.filter.order", Integer.class, DEFAULT_ORDER);
    }
}

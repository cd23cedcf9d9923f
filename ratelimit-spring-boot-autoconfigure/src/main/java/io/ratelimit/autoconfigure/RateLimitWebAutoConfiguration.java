package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.web.ClientAddress;
import io.ratelimit.web.DelayInterceptor;
import io.ratelimit.web.FilterRejections;
import io.ratelimit.web.PathRules;
import io.ratelimit.web.RateLimitFilter;
import io.ratelimit.web.RateLimitHeaders;
import io.ratelimit.web.RejectionExceptionResolver;
import io.ratelimit.web.RejectionHandler;
import io.ratelimit.web.RejectionWriter;
import io.ratelimit.web.ServletRequests;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/** Configures the limits of HTTP requests in servlet applications, and what clients are told about all limits. */
@AutoConfiguration(before = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitWebAutoConfiguration {

    private static final String APPLICATION_MAPPING = "requestMappingHandlerMapping";

    @Bean
    @ConditionalOnMissingBean
    ClientAddress rateLimitClientAddress(RateLimitProperties properties, Environment environment) {
        RateLimitProperties.ClientIp clientIp = properties.clientIp();
        ForwardedHeaders.warnIfForgeable(environment, clientIp.trustedProxies());
        return PropertyChecks.checked(
                "ratelimit.client-ip",
                () -> new ClientAddress(new ClientAddress.Settings(
                        clientIp.trustedProxies(), clientIp.header(), clientIp.ipv6Prefix())));
    }

    @Bean
    @ConditionalOnMissingBean
    ServletRequests rateLimitServletRequests(ClientAddress clientAddress) {
        return new ServletRequests(clientAddress);
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimitHeaders rateLimitHeaders(RateLimitProperties properties) {
        return new RateLimitHeaders(properties.web().headers());
    }

    @Bean
    @ConditionalOnMissingBean
    RejectionWriter rateLimitRejectionWriter(
            RateLimitHeaders headers, ObjectProvider<RejectionHandler> handlers, ApplicationContext context) {
        RejectionHandler handler = handlers.getIfAvailable();
        return handler == null ? new RejectionWriter(headers, context) : new RejectionWriter(headers, handler);
    }

    @Bean
    @ConditionalOnMissingBean
    RejectionExceptionResolver rateLimitExceptionResolver(RejectionWriter writer) {
        return new RejectionExceptionResolver(writer);
    }

    @Bean
    @ConditionalOnMissingBean
    FilterRejections rateLimitFilterRejections(
            ApplicationContext context, RateLimitHeaders headers, RejectionWriter writer) {
        return new FilterRejections(context, headers, writer);
    }

    @Bean
    @ConditionalOnMissingBean
    PathRules rateLimitPathRules(RateLimitProperties properties, LimitSpecFactory specs, ApplicationContext context) {
        PathRules rules = PathRules.of(ConfiguredRules.read(properties.rules(), specs), parser(context));
        new ConfiguredRules(SecurityChain.isPresent(context)).announce(rules.rules());
        return rules;
    }

    @Bean
    LiveRules rateLimitLiveRules(PathRules rules, ApplicationContext context) {
        return new LivePathRules(rules, parser(context), new ConfiguredRules(SecurityChain.isPresent(context)));
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterBeforeSecurity(
            Environment environment,
            PathRules rules,
            Enforcer enforcer,
            ClientAddress clientAddress,
            RateLimitHeaders headers,
            FilterRejections rejections) {
        RateLimitFilter filter =
                new RateLimitFilter(Phase.BEFORE_SECURITY, rules, enforcer, clientAddress, headers, rejections);
        return registration(filter, "rateLimitFilterBeforeSecurity", SecurityChain.order(environment) - 1);
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterAfterSecurity(
            Environment environment,
            PathRules rules,
            Enforcer enforcer,
            ClientAddress clientAddress,
            RateLimitHeaders headers,
            FilterRejections rejections) {
        RateLimitFilter filter =
                new RateLimitFilter(Phase.AFTER_SECURITY, rules, enforcer, clientAddress, headers, rejections);
        return registration(filter, "rateLimitFilterAfterSecurity", SecurityChain.order(environment) + 1);
    }

    /** Interceptors that are beans of this type stand before all others, and before the actuator's endpoints too. */
    @Bean
    MappedInterceptor rateLimitDelay() {
        return new MappedInterceptor(null, new DelayInterceptor());
    }

    private static FilterRegistrationBean<RateLimitFilter> registration(
            RateLimitFilter filter, String name, int order) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setName(name);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        return registration;
    }

    private static PathPatternParser parser(ApplicationContext context) {
        if (context.containsBean(APPLICATION_MAPPING)
                && context.getBean(APPLICATION_MAPPING) instanceof RequestMappingHandlerMapping mapping
                && mapping.getPatternParser() != null) {
            return mapping.getPatternParser();
        }
        return PathPatternParser.defaultInstance;
    }
}

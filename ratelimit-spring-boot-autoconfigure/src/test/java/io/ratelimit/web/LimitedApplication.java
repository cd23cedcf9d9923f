package io.ratelimit.web;

import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.MissingKey;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.PolicyDefinition;
import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.enforcement.PolicyRegistry;
import io.ratelimit.enforcement.WaitingRoom;
import io.ratelimit.expression.ExpressionCompiler;
import io.ratelimit.memory.MemoryBackend;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.util.pattern.PathPatternParser;

/** An application on Tomcat, limited by rules that a test states in Java; its clock stands still. */
final class LimitedApplication implements AutoCloseable {

    static final String WITHOUT_SECURITY = String.join(
            ",",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration");

    private final ConfigurableApplicationContext context;

    private LimitedApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static LimitedApplication start(Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of("spring.autoconfigure.exclude=" + WITHOUT_SECURITY));
        all.addAll(List.of(properties));
        return startSecured(configuration, all.toArray(String[]::new));
    }

    static LimitedApplication startSecured(Class<?> configuration, String... properties) {
        Map<String, Object> defaults = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn",
                "ratelimit.enabled", "false"));
        Arrays.stream(properties)
                .map(property -> property.split("=", 2))
                .forEach(pair -> defaults.put(pair[0], pair[1]));
        SpringApplication application = new SpringApplicationBuilder(Wiring.class, configuration).build();
        application.setDefaultProperties(defaults);
        return new LimitedApplication(application.run());
    }

    RawHttp http() {
        return new RawHttp(port());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ManualTimeSource time() {
        return bean(ManualTimeSource.class);
    }

    /** Forgets all counts, so that tests do not see each other's, and goes to second 40 of the next minute. */
    void reset() {
        long minute = 60_000_000;
        time().advanceMicros(minute - time().micros() % minute + 40_000_000);
        bean(PolicyRateLimiter.class).reset();
    }

    @Override
    public void close() {
        context.close();
    }

    /** States rules and limits; a test declares one as a bean. */
    static final class Rules {

        private record Rule(
                String name,
                Limit limit,
                Set<String> methods,
                List<String> paths,
                List<String> exclude,
                UnaryOperator<LimitDeclaration> more) {}

        private final List<Rule> rules = new ArrayList<>();

        List<HeaderDialect> dialects = List.of(HeaderDialect.IETF);

        ClientAddress.Settings clientIp = ClientAddress.Settings.DEFAULT;

        int maxWaiting = 1000;

        Rules rule(String name, Limit limit, String... paths) {
            return rule(name, limit, Set.of(), List.of(paths), List.of(), declaration -> declaration);
        }

        Rules rule(
                String name,
                Limit limit,
                Set<String> methods,
                List<String> paths,
                List<String> exclude,
                UnaryOperator<LimitDeclaration> more) {
            rules.add(new Rule(name, limit, methods, paths, exclude, more));
            return this;
        }
    }

    /** Limits by name, as an annotation would have them; for controllers of tests. */
    record Limits(Enforcer enforcer, LimitSpecFactory factory, Map<String, LimitSpec> byName) {

        LimitSpec of(String name) {
            return byName.get(name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Wiring {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource(1_000_000_000_000L);
        }

        @Bean(destroyMethod = "close")
        MemoryBackend backend(TimeSource timeSource) {
            return new MemoryBackend(timeSource, 100_000);
        }

        @Bean
        PolicyRegistry policies(TimeSource timeSource, Rules rules) {
            Map<String, PolicyDefinition> definitions = new LinkedHashMap<>();
            rules.rules.forEach(
                    rule -> definitions.put(rule.name(), PolicyDefinition.of(Policy.of(rule.name(), rule.limit()))));
            return new PolicyRegistry(definitions, List.of(), timeSource);
        }

        @Bean
        PolicyRateLimiter rateLimiter(PolicyRegistry policies, MemoryBackend backend) {
            return new PolicyRateLimiter(policies, backend);
        }

        @Bean
        LimitSpecFactory specFactory(PolicyRegistry policies, BeanFactory beans) {
            return new LimitSpecFactory(
                    policies,
                    new LimitRegistry(),
                    new ExpressionCompiler(beans, getClass().getClassLoader()),
                    LimitSpecFactory.DEFAULT_KEY,
                    LimitSpecFactory.Mode.ENFORCE);
        }

        @Bean
        ClientAddress clientAddress(Rules rules) {
            return new ClientAddress(rules.clientIp);
        }

        @Bean
        ServletRequests servletRequests(ClientAddress clientAddress) {
            return new ServletRequests(clientAddress);
        }

        @Bean
        Enforcer enforcer(PolicyRateLimiter limiter, Rules rules, ServletRequests requests) {
            return new Enforcer(limiter, MissingKey.CLIENT_IP, new WaitingRoom(rules.maxWaiting), requests, List.of());
        }

        @Bean
        Limits limits(Rules rules, LimitSpecFactory factory, Enforcer enforcer) {
            Map<String, LimitSpec> specs = new LinkedHashMap<>();
            for (Rules.Rule rule : rules.rules) {
                LimitDeclaration declaration =
                        LimitDeclaration.ofRule(rule.name()).policy(rule.name());
                specs.put(rule.name(), factory.create(rule.more().apply(declaration)));
            }
            return new Limits(enforcer, factory, specs);
        }

        @Bean
        PathRules pathRules(Rules rules, Limits limits, ObjectProvider<PathPatternParser> parser) {
            List<PathRule> pathRules = rules.rules.stream()
                    .filter(rule -> !rule.paths().isEmpty())
                    .map(rule -> new PathRule(limits.of(rule.name()), rule.paths(), rule.exclude(), rule.methods()))
                    .toList();
            return PathRules.of(pathRules, parser.getIfAvailable(PathPatternParser::new));
        }

        @Bean
        RateLimitHeaders headers(Rules rules) {
            return new RateLimitHeaders(rules.dialects);
        }

        @Bean
        RejectionWriter rejectionWriter(
                RateLimitHeaders headers, ObjectProvider<RejectionHandler> handler, MessageSource messages) {
            RejectionHandler own = handler.getIfAvailable();
            return own == null ? new RejectionWriter(headers, messages) : new RejectionWriter(headers, own);
        }

        @Bean
        RejectionExceptionResolver rejectionResolver(RejectionWriter writer) {
            return new RejectionExceptionResolver(writer);
        }

        @Bean
        MappedInterceptor delayInterceptor() {
            return new MappedInterceptor(null, new DelayInterceptor());
        }

        @Bean
        FilterRejections rejections(ApplicationContext context, RateLimitHeaders headers, RejectionWriter writer) {
            return new FilterRejections(context, headers, writer);
        }

        @Bean
        FilterRegistrationBean<RateLimitFilter> before(
                PathRules rules,
                Enforcer enforcer,
                ClientAddress clientAddress,
                RateLimitHeaders headers,
                FilterRejections rejections) {
            return registration(Phase.BEFORE_SECURITY, -104, rules, enforcer, clientAddress, headers, rejections);
        }

        @Bean
        FilterRegistrationBean<RateLimitFilter> after(
                PathRules rules,
                Enforcer enforcer,
                ClientAddress clientAddress,
                RateLimitHeaders headers,
                FilterRejections rejections) {
            return registration(Phase.AFTER_SECURITY, -99, rules, enforcer, clientAddress, headers, rejections);
        }

        private static FilterRegistrationBean<RateLimitFilter> registration(
                Phase phase,
                int order,
                PathRules rules,
                Enforcer enforcer,
                ClientAddress clientAddress,
                RateLimitHeaders headers,
                FilterRejections rejections) {
            RateLimitFilter filter = new RateLimitFilter(phase, rules, enforcer, clientAddress, headers, rejections);
            FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setName("rateLimit" + phase);
            registration.setOrder(order);
            // All dispatches on purpose: the filter itself has to count only the first.
            registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
            return registration;
        }
    }
}

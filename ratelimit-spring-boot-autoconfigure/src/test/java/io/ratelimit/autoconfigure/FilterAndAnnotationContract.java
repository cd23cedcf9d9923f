package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimiter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** A rule of the filter and an annotation on one request; every backend must do the same. */
@Tag("default-line")
abstract class FilterAndAnnotationContract {

    ConfigurableApplicationContext application;

    private RateLimiter limiter;

    private MockMvc mvc;

    /** Properties that choose the backend. */
    abstract String[] backend();

    @BeforeEach
    void start() {
        String[] rules = {
            "server.address=127.0.0.1",
            "server.port=0",
            "ratelimit.policies.wide.limit=10",
            "ratelimit.policies.wide.window=1h",
            "ratelimit.policies.shared.limit=3",
            "ratelimit.policies.shared.window=1h",
            "ratelimit.policies.shared.algorithm=sliding-log",
            "ratelimit.rules[0].name=wide",
            "ratelimit.rules[0].paths=/narrow",
            "ratelimit.rules[0].key='one'",
            "ratelimit.rules[0].policy=wide",
            "ratelimit.rules[1].name=shared",
            "ratelimit.rules[1].paths=/rule,/both",
            "ratelimit.rules[1].key='one'",
            "ratelimit.rules[1].policy=shared"
        };
        application = new SpringApplicationBuilder(Application.class)
                .properties(Stream.of(rules, backend()).flatMap(Stream::of).toArray(String[]::new))
                .run();
        limiter = application.getBean(RateLimiter.class);
        limiter.reset();
        DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup((WebApplicationContext) application);
        application
                .getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .forEach(filter -> builder.addFilters(filter.getFilter()));
        mvc = builder.build();
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void whatTheRuleChargedIsGivenBackWhenTheAnnotationRefuses() throws Exception {
        assertThat(status("/narrow")).isEqualTo(200);
        assertThat(limiter.peek("wide", "one").remaining()).isEqualTo(9);
        for (int i = 0; i < 12; i++) {
            assertThat(status("/narrow")).isEqualTo(429);
        }
        assertThat(limiter.peek("wide", "one").remaining()).isEqualTo(9);
    }

    @Test
    void aRuleAndAnAnnotationOfOneNameShareABucket() throws Exception {
        assertThat(status("/rule")).isEqualTo(200);
        assertThat(status("/method")).isEqualTo(200);
        assertThat(limiter.peek("shared", "one").remaining()).isEqualTo(1);
        assertThat(status("/rule")).isEqualTo(200);
        assertThat(status("/method")).isEqualTo(429);
        assertThat(status("/rule")).isEqualTo(429);
    }

    @Test
    void onOneRequestBothChargeTheSharedBucketAndTheRefusedOneLeavesItAsItWas() throws Exception {
        assertThat(status("/both")).isEqualTo(200);
        assertThat(limiter.peek("shared", "one").remaining()).isEqualTo(1);
        assertThat(status("/both")).isEqualTo(429);
        assertThat(limiter.peek("shared", "one").remaining()).isEqualTo(1);
        assertThat(status("/method")).isEqualTo(200);
    }

    private int status(String path) throws Exception {
        return mvc.perform(get(path)).andReturn().getResponse().getStatus();
    }

    @RestController
    static class Pages {

        @RateLimited(name = "narrow", limit = 1, window = "1h", key = "'one'")
        @GetMapping("/narrow")
        String narrow() {
            return "narrow";
        }

        @GetMapping("/rule")
        String rule() {
            return "rule";
        }

        @RateLimited(name = "shared", policy = "shared", key = "'one'")
        @GetMapping("/method")
        String method() {
            return "method";
        }

        @RateLimited(name = "shared", policy = "shared", key = "'one'")
        @GetMapping("/both")
        String both() {
            return "both";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        RateLimitRedisAutoConfiguration.class,
        RateLimitAutoConfiguration.class,
        RateLimitAspectAutoConfiguration.class,
        RateLimitWebAutoConfiguration.class
    })
    @Import(Pages.class)
    static class Application {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }
    }
}

package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimiter;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** What users of other limiters met in their applications; the comment names where it was reported. */
@Tag("default-line")
class ReportedWebProblemsTests {

    private static ConfigurableApplicationContext application;

    private static MockMvc mvc;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.address=127.0.0.1",
                        "server.port=0",
                        "ratelimit.default-key=ip",
                        "ratelimit.web.headers=ietf,x-ratelimit",
                        "ratelimit.policies.two.limits[0].limit=10",
                        "ratelimit.policies.two.limits[0].window=1m",
                        "ratelimit.policies.two.limits[0].algorithm=fixed-window",
                        "ratelimit.policies.two.limits[1].limit=2",
                        "ratelimit.policies.two.limits[1].window=50s",
                        "ratelimit.policies.two.limits[1].algorithm=fixed-window",
                        "ratelimit.rules[0].name=tight",
                        "ratelimit.rules[0].paths=/tight",
                        "ratelimit.rules[0].policy=two",
                        "ratelimit.rules[1].name=site",
                        "ratelimit.rules[1].paths=/site/**",
                        "ratelimit.rules[1].exclude=/site/health",
                        "ratelimit.rules[1].limit=2",
                        "ratelimit.rules[1].window=1m",
                        "ratelimit.rules[2].name=user",
                        "ratelimit.rules[2].paths=/shared",
                        "ratelimit.rules[2].key=header('X-User')",
                        "ratelimit.rules[2].limit=1",
                        "ratelimit.rules[2].window=1h",
                        "ratelimit.rules[3].name=everybody",
                        "ratelimit.rules[3].paths=/shared",
                        "ratelimit.rules[3].key='all'",
                        "ratelimit.rules[3].limit=10",
                        "ratelimit.rules[3].window=1h")
                .run();
        DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup((WebApplicationContext) application);
        application
                .getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .forEach(filter -> {
                    Filter registered = filter.getFilter();
                    builder.addFilters(registered);
                });
        mvc = builder.build();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** The hook that keeps tests of one context apart. */
    @BeforeEach
    void reset() {
        application.getBean(RateLimiter.class).reset();
        application.getBean(ManualTimeSource.class).set(1_760_054_400_000_000L);
    }

    // resilience4j/resilience4j#1025, symfony/symfony#48021, ProfessionalWiki/MediaWiki-MCP-Server#548
    @RepeatedTest(2)
    void testsOfOneContextShareNeitherCountsNorWallClock() {
        assertThat(send(get("/site/a")).getStatus()).isEqualTo(200);
        assertThat(send(get("/site/a")).getStatus()).isEqualTo(200);
        assertThat(send(get("/site/a")).getHeader("Retry-After")).isEqualTo("30");
        application.getBean(ManualTimeSource.class).advanceMicros(30_000_000);
        assertThat(send(get("/site/a")).getStatus()).isEqualTo(200);
    }

    // stefanprodan/AspNetCoreRateLimit#418, laurentS/slowapi#33
    @Test
    void theTightestOfTwoLimitsIsShownAndEveryHeaderHasOneValue() {
        MockHttpServletResponse response = send(get("/tight"));
        assertThat(response.getHeaders("X-RateLimit-Limit")).containsExactly("2");
        assertThat(response.getHeaders("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(response.getHeaders("RateLimit")).hasSize(1);
        assertThat(response.getHeaders("RateLimit-Policy")).hasSize(1);
    }

    // sethvargo/go-limiter#22, zalando/restful-api-guidelines#379, ioggstream/draft-polli-ratelimit-headers#3
    @Test
    void resetIsInSecondsFromNowAndAgreesWithRetryAfter() {
        assertThat(send(get("/site/a")).getHeader("X-RateLimit-Reset")).isEqualTo("30");
        send(get("/site/a"));
        MockHttpServletResponse refused = send(get("/site/a"));
        assertThat(refused.getHeader("X-RateLimit-Reset")).isEqualTo("30");
        assertThat(refused.getHeader("Retry-After")).isEqualTo("30");
    }

    // laravel/framework#51967, GSA/api.data.gov#304
    @Test
    void urlsAndMethodsWithOneKeyCountSeparately() {
        assertThat(send(get("/one")).getStatus()).isEqualTo(200);
        assertThat(send(post("/one")).getStatus()).isEqualTo(200);
        assertThat(send(get("/other")).getStatus()).isEqualTo(200);
        assertThat(send(get("/one")).getStatus()).isEqualTo(429);
        assertThat(send(post("/one")).getStatus()).isEqualTo(429);
        assertThat(send(get("/other")).getStatus()).isEqualTo(429);
    }

    // boinkor-net/governor#167
    @Test
    void aUserWhoIsRefusedDoesNotSpendWhatEverybodyShares() {
        for (int call = 0; call < 20; call++) {
            assertThat(send(get("/shared").header("X-User", "A")).getStatus()).isEqualTo(call == 0 ? 200 : 429);
        }
        assertThat(send(get("/shared").header("X-User", "B")).getStatus()).isEqualTo(200);
    }

    // cameri/nostream#182, TriliumNext/Trilium#10617, marcosbarbero/spring-cloud-zuul-ratelimit#461
    @Test
    void probesAreExcludedAndOtherPathsAreNotTouched() {
        for (int call = 0; call < 5; call++) {
            assertThat(send(get("/site/health")).getStatus()).isEqualTo(200);
            assertThat(send(get("/site-check")).getStatus()).isEqualTo(200);
        }
        assertThat(send(get("/site/a")).getHeader("X-RateLimit-Remaining")).isEqualTo("1");
    }

    private static MockHttpServletResponse send(RequestBuilder request) {
        try {
            return mvc.perform(request).andReturn().getResponse();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
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

    @RestController
    static class Pages {

        @GetMapping({"/tight", "/site/a", "/site/health", "/site-check", "/shared"})
        public String page() {
            return "page";
        }

        @GetMapping("/one")
        @RateLimited(limit = 1, window = "1m", algorithm = Algorithm.FIXED_WINDOW, key = "ip")
        public String one() {
            return "one";
        }

        @PostMapping("/one")
        @RateLimited(limit = 1, window = "1m", algorithm = Algorithm.FIXED_WINDOW, key = "ip")
        public String postOne() {
            return "one";
        }

        @GetMapping("/other")
        @RateLimited(limit = 1, window = "1m", algorithm = Algorithm.FIXED_WINDOW, key = "ip")
        public String other() {
            return "other";
        }
    }
}

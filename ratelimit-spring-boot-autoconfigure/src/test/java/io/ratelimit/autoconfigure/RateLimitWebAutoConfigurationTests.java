package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.web.RateLimitFilter;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.servlet.DispatcherServlet;

/** The limiter in a servlet application: where its filters stand, and what it says about its rules. */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitWebAutoConfigurationTests {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitWebAutoConfiguration.class));

    @Test
    void filtersStandAroundSpringSecurity() {
        runner.run(context -> {
            assertThat(order(context, "rateLimitFilterBeforeSecurity")).isEqualTo(-101);
            assertThat(order(context, "rateLimitFilterAfterSecurity")).isEqualTo(-99);
        });
    }

    @Test
    void filtersFollowSpringSecurityWhereItIsMoved() {
        runner.withPropertyValues("spring.security.filter.order=10").run(context -> {
            assertThat(order(context, "rateLimitFilterBeforeSecurity")).isEqualTo(9);
            assertThat(order(context, "rateLimitFilterAfterSecurity")).isEqualTo(11);
        });
    }

    @Test
    void noFilterIsConfiguredWhenDisabled() {
        runner.withPropertyValues("ratelimit.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void noFilterIsConfiguredWithoutSpringMvc() {
        runner.withClassLoader(new FilteredClassLoader(DispatcherServlet.class)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
        });
    }

    @Test
    void ruleIsAnnouncedAtStartUp(CapturedOutput output) {
        rule().run(context -> assertThat(output)
                .contains("rule 'api': GET /api/**, /v2/** except /api/health, "
                        + "100 per 1m (SLIDING_COUNTER) for each principal?.name ?: ip, shadow")
                .doesNotContain("Spring Security"));
    }

    @Test
    void ruleIsAnnouncedWithItsPhaseWhereThereIsSpringSecurity(CapturedOutput output) {
        rule().withBean("springSecurityFilterChain", Filter.class, CharacterEncodingFilter::new)
                .run(context ->
                        assertThat(output).contains("for each principal?.name ?: ip, after Spring Security, shadow"));
    }

    private WebApplicationContextRunner rule() {
        return runner.withPropertyValues(
                "ratelimit.rules[0].name=api",
                "ratelimit.rules[0].paths=/api/**,/v2/**",
                "ratelimit.rules[0].exclude=/api/health",
                "ratelimit.rules[0].methods=GET",
                "ratelimit.rules[0].limit=100",
                "ratelimit.rules[0].window=60s",
                "ratelimit.rules[0].algorithm=sliding-counter",
                "ratelimit.rules[0].shadow=true");
    }

    @ParameterizedTest
    @CsvSource({
        "FRAMEWORK,            , true",
        "framework,            , true",
        "framework,  10.0.0.0/8, false",
        "native,               , false",
        "none,                 , false"
    })
    void addressesThatClientsCanChooseAreWarnedOf(
            String strategy, String trusted, boolean warned, CapturedOutput output) {
        runner.withPropertyValues(
                        "server.forward-headers-strategy=" + strategy,
                        "ratelimit.client-ip.trusted-proxies=" + (trusted == null ? "" : trusted))
                .run(context -> assertThat(output.getOut().contains("Set ratelimit.client-ip.trusted-proxies"))
                        .isEqualTo(warned));
    }

    private static int order(AssertableWebApplicationContext context, String name) {
        FilterRegistrationBean<?> registration = context.getBean(name, FilterRegistrationBean.class);
        assertThat(registration.getFilter()).isInstanceOf(RateLimitFilter.class);
        return registration.getOrder();
    }
}

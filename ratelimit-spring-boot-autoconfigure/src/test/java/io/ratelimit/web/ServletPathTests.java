package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** A context path, a servlet path, another servlet, paths of any case, a filter that trims slashes, and a CORS filter. */
class ServletPathTests {

    private static LimitedApplication application;

    private RawHttp http;

    @Configuration(proxyBeanMethods = false)
    static class App implements WebMvcConfigurer {

        @Bean
        Rules rules() {
            Limit four = Limit.of(Algorithm.SLIDING_LOG, 4, Duration.ofSeconds(10));
            Rules rules = new Rules().rule("api", four, "/api/**", "/exact").rule("servlet", four, "/plain/**");
            rules.dialects = List.of(HeaderDialect.IETF, HeaderDialect.X_RATELIMIT, HeaderDialect.DRAFT_03);
            return rules;
        }

        @Override
        public void configurePathMatch(PathMatchConfigurer configurer) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            configurer.setPatternParser(parser);
        }

        @Bean
        FilterRegistrationBean<UrlHandlerFilter> trailingSlashes() {
            FilterRegistrationBean<UrlHandlerFilter> registration = new FilterRegistrationBean<>(
                    UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
            registration.addUrlPatterns("/mvc/*");
            registration.setOrder(0);
            return registration;
        }

        @Bean
        CorsFilter corsFilter() {
            CorsConfiguration configuration = new CorsConfiguration();
            configuration.addAllowedOrigin("https://shop.example");
            configuration.addAllowedMethod("GET");
            configuration.setAllowCredentials(true);
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", configuration);
            return new CorsFilter(source);
        }

        @Bean
        ServletRegistrationBean<HttpServlet> plain() {
            return new ServletRegistrationBean<>(new PlainServlet(), "/plain/*");
        }

        @Bean
        Controller controller() {
            return new Controller();
        }
    }

    static class PlainServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("plain");
        }
    }

    @RestController
    static class Controller {

        @GetMapping({"/api/hello", "/exact"})
        String hello() {
            return "hello";
        }
    }

    @BeforeAll
    static void start() {
        application = LimitedApplication.start(
                App.class, "server.servlet.context-path=/shop", "spring.mvc.servlet.path=/mvc");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void reset() {
        application.reset();
        http = application.http();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shop/mvc/api/hello",
                "/shop/mvc/API/Hello",
                "/shop/mvc/api/hello/",
                "/shop/mvc/exact/",
                "/shop/mvc/EXACT",
                "/shop/mvc/api/%48ello;x=1",
                "/shop;a=b/mvc/api/hello"
            })
    void everySpellingThatReachesTheControllerMeetsTheRule(String target) {
        Response response = http.get(target);
        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=10");
        assertThat(response.header("X-RateLimit-Remaining")).isEqualTo("3");
        assertThat(response.header("RateLimit-Limit")).isEqualTo("4, 4;w=10");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%73hop/mvc/api/hello", "/shop/%6dvc/api/hello", "/shop//mvc/api/hello", "/shop/x/../mvc/api/hello",
                "//shop/mvc/api/hello", "/shop/./mvc/exact", "/shop/mvc//exact", "/shop/mvc;x/exact"
            })
    void noOddPrefixWalksAroundTheRule(String target) {
        Response response = http.get(target);
        if (response.body().equals("hello")) {
            assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=10");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shop/plain/x",
                "/shop/plain/",
                "/shop/plain",
                "/shop/plain;x=1/y",
                "/shop//plain/x",
                "/shop/pl%61in/x"
            })
    void otherServletsAreMatchedByTheirFullPath(String target) {
        Response response = http.get(target);
        assertThat(response.body()).isEqualTo("plain");
        assertThat(response.header("RateLimit")).isEqualTo("\"servlet\";r=3;t=10");
    }

    @Test
    void aCorsFilterGivesItsHeadersToARefusal() {
        Response preflight = http.send(
                "OPTIONS", "/shop/mvc/exact", "", "Origin: https://shop.example", "Access-Control-Request-Method: GET");
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.all("Access-Control-Allow-Credentials")).containsExactly("true");
        assertThat(preflight.header("RateLimit")).isEmpty();
        for (int i = 0; i < 4; i++) {
            http.get("/shop/mvc/exact");
        }
        Response refused = http.get("/shop/mvc/exact", "Origin: https://shop.example");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.all("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
        assertThat(refused.all("Access-Control-Allow-Credentials")).containsExactly("true");
        assertThat(refused.header("Access-Control-Expose-Headers"))
                .contains("RateLimit")
                .contains("X-RateLimit-Remaining")
                .contains("Retry-After");
        Response evil = http.get("/shop/mvc/exact", "Origin: https://evil.example");
        assertThat(evil.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(evil.status()).isIn(403, 429);
    }
}

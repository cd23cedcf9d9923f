package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** The application deployed to a Jetty that lets every spelling of a path pass, which Jetty by itself does not. */
@Tag("default-line")
class PathsOnJettyTests {

    private static Server server;

    private static PolicyRateLimiter limiter;

    private static RawHttp http;

    /** As in a WAR file: the container has the filters from the application, and not the other way round. */
    static class Deployment extends SpringBootServletInitializer {

        @Override
        protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
            return application
                    .sources(LimitedApplication.Wiring.class, EdgeApplication.class, EdgeApplication.Controller.class)
                    .properties(Map.of(
                            "spring.autoconfigure.exclude", LimitedApplication.WITHOUT_SECURITY,
                            "spring.main.banner-mode", "off",
                            "logging.level.root", "warn",
                            "ratelimit.enabled", "false"));
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = new Server();
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler handler = new ServletContextHandler("/");
        handler.getServletHandler().setDecodeAmbiguousURIs(true);
        handler.addServletContainerInitializer((classes, context) -> deploy(context));
        server.setHandler(handler);
        server.start();
        http = new RawHttp(connector.getLocalPort());
        WebApplicationContext context =
                WebApplicationContextUtils.getRequiredWebApplicationContext(handler.getServletContext());
        limiter = context.getBean(PolicyRateLimiter.class);
    }

    private static void deploy(ServletContext context) throws ServletException {
        new Deployment().onStartup(context);
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    @BeforeEach
    void reset() {
        limiter.reset();
    }

    @Test
    void theRuleCountsAndRefuses() {
        for (int i = 0; i < 4; i++) {
            assertThat(http.get("/api/hello").body()).isEqualTo("hello");
        }
        Response refused = http.get("/api/hello");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Content-Type")).startsWith("application/problem+json");
        assertThat(http.get("/free").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/hello",
                "/api/hello;x=1",
                "/api;a=b/hello",
                "/api/%68ello",
                "/%61pi/hello",
                "/api/hello?x=1",
                "//api/hello",
                "/api//hello",
                "/api/./hello",
                "/api/x/../hello",
                "/x/../api/hello",
                "/api/hello/",
                "/api/%2e/hello",
                "/api/x/%2e%2e/hello",
                "/api/hello;",
                "/;/api/hello",
                "/api/hello;x=%2f",
                "/.;/api/hello",
                "/api/;/hello",
                "/foo/..;/api/hello",
                "/API/hello",
                "/api/hello%20",
                "/api/hello%2f",
                "/api\\hello",
                "/api/hello%00",
                "http://localhost/api/hello",
                "/api%2fhello",
                "/%2e/api/hello",
                "/api/..%2fapi/hello",
                "/api/%252e/hello",
                "/api/hello%",
                "/api/hello#x"
            })
    void noSpellingReachesTheControllerWithoutMeetingTheRule(String target) {
        Response response = http.get(target);
        assertThat(response.status()).isLessThan(500);
        if (response.body().equals("hello")) {
            assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/health/",
                "//api/health",
                "/api/health/../hello",
                "/api/health;/../hello",
                "/api/health/..",
                "/api/health/..;/hello",
                "/api/health%2f..%2fhello"
            })
    void noSpellingOfAnExclusionFreesWhatIsLimited(String target) {
        Response response = http.get(target);
        if (response.body().equals("hello")) {
            assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
        }
    }
}

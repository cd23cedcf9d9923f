package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

class SecuredApplicationTests {

    private static final String ALICE = basic("alice", "secret");

    private static final String BOB = basic("bob", "secret");

    private static final String WRONG = basic("alice", "wrong");

    private static LimitedApplication application;

    private RawHttp http;

    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        Rules rules() {
            Limit two = Limit.of(Algorithm.SLIDING_LOG, 2, Duration.ofSeconds(10));
            Limit three = Limit.of(Algorithm.SLIDING_LOG, 3, Duration.ofSeconds(10));
            Limit queue =
                    Limit.of(Algorithm.LEAKY_BUCKET, 20, Duration.ofSeconds(1)).withBurst(8);
            UnaryOperator<LimitDeclaration> byIp = declaration -> declaration.key("ip");
            UnaryOperator<LimitDeclaration> byUser = declaration -> declaration.key("principal?.name");
            return new Rules()
                    .rule("user", two, Set.of(), List.of("/user/**"), List.of(), byUser)
                    .rule("login", two, Set.of("POST"), List.of("/login"), List.of(), byIp)
                    .rule("both", three, Set.of(), List.of("/both"), List.of(), byIp)
                    .rule("both-user", two, Set.of(), List.of("/both"), List.of(), byUser)
                    .rule("queue", queue, Set.of(), List.of("/queue"), List.of(), byIp);
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .formLogin(Customizer.withDefaults())
                    .cors(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        CorsConfigurationSource corsConfigurationSource() {
            CorsConfiguration configuration = new CorsConfiguration();
            configuration.setAllowedOrigins(List.of("https://shop.example"));
            configuration.setAllowedMethods(List.of("GET"));
            configuration.setAllowedHeaders(List.of("Authorization"));
            configuration.setAllowCredentials(true);
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", configuration);
            return source;
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password("{noop}secret").build(),
                    User.withUsername("bob").password("{noop}secret").build());
        }

        @Bean
        Controller controller() {
            return new Controller();
        }
    }

    @RestController
    static class Controller {

        @GetMapping({"/user/name", "/both", "/queue"})
        String name(Principal principal) {
            return principal.getName();
        }
    }

    private static String basic(String user, String password) {
        String credentials = user + ":" + password;
        return HttpHeaders.AUTHORIZATION + ": Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeAll
    static void start() {
        application = LimitedApplication.startSecured(App.class);
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

    @Test
    void eachUserHasAQuotaOfHisOwn() {
        assertThat(http.get("/user/name", ALICE).body()).isEqualTo("alice");
        assertThat(http.get("/user/name", ALICE).header("RateLimit")).isEqualTo("\"user\";r=0;t=10");
        Response refused = http.get("/user/name", ALICE);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.all("Cache-Control")).containsExactly("no-store");
        assertThat(refused.body()).doesNotContain("alice");
        assertThat(http.get("/user/name", BOB).status()).isEqualTo(200);
    }

    @Test
    void aWrongPasswordDoesNotSpendTheUsersQuota() {
        for (int i = 0; i < 5; i++) {
            Response response = http.get("/user/name", WRONG);
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.header("RateLimit")).isEmpty();
        }
        assertThat(http.get("/user/name", ALICE).header("RateLimit")).isEqualTo("\"user\";r=1;t=10");
    }

    @Test
    void aLoginInsideTheSecurityChainIsLimited() {
        String form = "username=alice&password=wrong";
        String type = "Content-Type: application/x-www-form-urlencoded";
        assertThat(http.send("POST", "/login", form, type).status()).isEqualTo(302);
        assertThat(http.send("POST", "/login", form, type).header("RateLimit")).isEqualTo("\"login\";r=0;t=10");
        Response refused = http.send("POST", "/login", form, type);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Location")).isEmpty();
    }

    @Test
    void aRefusalInTheLaterPhaseGivesBackWhatTheEarlierCharged() {
        http.get("/both", ALICE);
        assertThat(http.get("/both", ALICE).header("RateLimit")).isEqualTo("\"both-user\";r=0;t=10, \"both\";r=1;t=10");
        for (int i = 0; i < 3; i++) {
            Response refused = http.get("/both", ALICE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("[\"both-user\"]");
        }
        assertThat(http.get("/both", BOB).status()).isEqualTo(200);
    }

    @Test
    void anUnauthorizedAnswerKeepsTheChargeOfTheEarlierPhase() {
        for (int i = 0; i < 3; i++) {
            assertThat(http.get("/both", WRONG).status()).isEqualTo(401);
        }
        assertThat(http.get("/both", ALICE).status()).isEqualTo(429);
    }

    @Test
    void aQueuedRequestIsStillAuthenticatedAfterItsWait() {
        assertThat(http.get("/queue", ALICE).body()).isEqualTo("alice");
        assertThat(http.get("/queue", BOB).body()).isEqualTo("bob");
        assertThat(http.get("/queue", WRONG).status()).isEqualTo(401);
        assertThat(http.get("/queue").status()).isEqualTo(401);
    }

    @Test
    void aBrowserOfAnotherOriginReadsTheRefusalWithCredentials() {
        String origin = "Origin: https://shop.example";
        Response preflight = http.send(
                "OPTIONS",
                "/user/name",
                "",
                origin,
                "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: Authorization");
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        http.get("/user/name", origin, ALICE);
        http.get("/user/name", origin, ALICE);
        Response refused = http.get("/user/name", origin, ALICE);
        assertThat(refused.status()).isEqualTo(429);
        assertCors(refused);
        for (int i = 0; i < 3; i++) {
            http.get("/both");
        }
        Response refusedEarly = http.get("/both", origin);
        assertThat(refusedEarly.status()).isEqualTo(429);
        assertCors(refusedEarly);
        assertThat(http.get("/both", "Origin: https://evil.example").header("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    private static void assertCors(Response response) {
        assertThat(response.all("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
        assertThat(response.all("Access-Control-Allow-Credentials")).containsExactly("true");
        assertThat(response.all("Access-Control-Expose-Headers"))
                .containsExactly("RateLimit-Policy, RateLimit, Retry-After");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/user/name;x=1",
                "/user/%6eame",
                "//user/name",
                "/user//name",
                "/user/./name",
                "/user/name/",
                "/user/x/../name",
                "/USER/name",
                "/user/name%00"
            })
    void noSpellingReachesTheControllerWithoutMeetingTheRule(String target) {
        Response response = http.get(target, ALICE);
        assertThat(response.status()).isLessThan(500);
        if (response.body().equals("alice")) {
            assertThat(response.header("RateLimit")).isEqualTo("\"user\";r=1;t=10");
        }
    }
}

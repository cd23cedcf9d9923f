package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.DispatcherType;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What a request still has when its turn comes. */
class SecuredQueueTests {

    private static final String ALICE = authorization("alice:secret");

    private static final String COOKIE = "Cookie: XSRF-TOKEN=0a1b2c3d";

    private static final String TOKEN = "X-XSRF-TOKEN: 0a1b2c3d";

    private static final String TEXT = "Content-Type: text/plain";

    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        SecurityFilterChain security(HttpSecurity http, @Value("${test.permit-async}") boolean permitAsync)
                throws Exception {
            return http.authorizeHttpRequests(requests -> {
                        requests.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll();
                        if (permitAsync) {
                            requests.dispatcherTypeMatchers(DispatcherType.ASYNC)
                                    .permitAll();
                        }
                        requests.anyRequest().authenticated();
                    })
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse())
                            .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler()))
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password("{noop}secret").build());
        }

        @Bean
        Controller controller() {
            return new Controller();
        }
    }

    @RestController
    static class Controller {

        @PostMapping("/queue")
        String post(Principal principal, @RequestBody String body) {
            return principal.getName() + " posted " + body;
        }
    }

    private static String authorization(String credentials) {
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDelayedPostKeepsAuthenticationCsrfCheckAndBody(boolean permitAsync) {
        String body = "body ".repeat(5_000);
        try (ConfiguredApplication application = ConfiguredApplication.startSecured(
                App.class,
                "test.permit-async=" + permitAsync,
                "ratelimit.rules[0].name=queue",
                "ratelimit.rules[0].paths=/queue",
                "ratelimit.rules[0].limit=5",
                "ratelimit.rules[0].window=1s",
                "ratelimit.rules[0].algorithm=leaky-bucket",
                "ratelimit.rules[0].burst=100")) {
            RawHttp http = application.http();
            long start = System.nanoTime();
            for (int i = 0; i < 4; i++) {
                Response response = http.send("POST", "/queue", body, ALICE, COOKIE, TOKEN, TEXT);
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("alice posted " + body);
            }
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(600_000_000L);
            assertThat(http.send("POST", "/queue", body, ALICE, COOKIE, "X-XSRF-TOKEN: forged", TEXT)
                            .status())
                    .isEqualTo(403);
            assertThat(http.send("POST", "/queue", body, ALICE, TEXT).status()).isEqualTo(403);
            assertThat(http.send("POST", "/queue", body, COOKIE, TOKEN, TEXT).status())
                    .isEqualTo(401);
            assertThat(http.send("POST", "/queue", body, authorization("alice:wrong"), COOKIE, TOKEN, TEXT)
                            .status())
                    .isEqualTo(401);
        }
    }
}

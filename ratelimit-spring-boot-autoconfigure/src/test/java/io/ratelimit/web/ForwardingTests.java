package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.web.ClientAddress.ForwardingHeader;
import io.ratelimit.web.LimitedApplication.Rules;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Whom the limiter takes for the client, together with {@code server.forward-headers-strategy}. */
class ForwardingTests {

    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        Rules rules(@Value("${test.trusted:}") List<String> trusted) {
            Rules rules =
                    new Rules().rule("api", Limit.of(Algorithm.SLIDING_LOG, 5, Duration.ofSeconds(10)), "/client");
            rules.clientIp = new ClientAddress.Settings(trusted, ForwardingHeader.X_FORWARDED_FOR, 64);
            return rules;
        }

        @Bean
        Controller controller(ClientAddress clientAddress) {
            return new Controller(clientAddress);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecuredApp extends App {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @RestController
    static class Controller {

        private final ClientAddress clientAddress;

        Controller(ClientAddress clientAddress) {
            this.clientAddress = clientAddress;
        }

        @GetMapping("/client")
        String client(HttpServletRequest request) {
            return clientAddress.resolve(request).orElse("none");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // strategy, trusted proxies, the client for "spoof, real, proxy"
                "none      |              | 127.0.0.1",
                "none      | 127.0.0.0/8,10.0.0.0/8 | 192.0.2.1",
                "none      | 10.0.0.0/8   | 127.0.0.1",
                "native    |              | 192.0.2.1",
                "native    | 127.0.0.0/8,10.0.0.0/8 | 192.0.2.1",
                "native    | 10.0.0.0/8   | 192.0.2.1",
                "framework |              | 6.6.6.6",
                "framework | 127.0.0.0/8,10.0.0.0/8 | 192.0.2.1",
                "framework | 10.0.0.0/8   | 127.0.0.1",
            })
    void theClientIsWhoTheTrustedProxiesSaw(String strategy, String trusted, String client) {
        String[] properties = {
            "server.forward-headers-strategy=" + strategy, "test.trusted=" + (trusted == null ? "" : trusted)
        };
        try (LimitedApplication application = LimitedApplication.start(App.class, properties)) {
            check(application.http(), client);
        }
        try (LimitedApplication application = LimitedApplication.startSecured(SecuredApp.class, properties)) {
            check(application.http(), client);
        }
    }

    private static void check(RawHttp http, String client) {
        assertThat(http.get("/client", "X-Forwarded-For: 6.6.6.6, 192.0.2.1", "X-Forwarded-For: 10.0.0.2")
                        .body())
                .isEqualTo(client);
        assertThat(http.get("/client").body()).isEqualTo("127.0.0.1");
        boolean spoofable = client.equals("6.6.6.6");
        for (int i = 0; i < 6; i++) {
            int status = http.get("/client", "X-Forwarded-For: 6.6.6." + i + ", 192.0.2.9, 10.0.0.2")
                    .status();
            assertThat(status).isEqualTo(i < 5 - alreadyCounted(client) || spoofable ? 200 : 429);
        }
    }

    /** The two requests before came from the peer, if nobody believes the header. */
    private static int alreadyCounted(String client) {
        return client.equals("127.0.0.1") ? 2 : 0;
    }
}

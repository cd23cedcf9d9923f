package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.ManualTimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The traffic of a public web server, sent over HTTP through the running application: a filter rule, the client in a
 * header, the time set by hand. The totals were computed by an independent limiter with exact arithmetic.
 */
@Tag("long")
class TrafficReplayTests {

    private static final List<Arrival> TRAFFIC = lines("requests-apache.csv").stream()
            .map(line -> line.split(","))
            .map(fields -> new Arrival(Long.parseLong(fields[0]) * 1_000_000, fields[1]))
            .toList();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @ParameterizedTest
    @MethodSource
    void totalsOverHttpAreExact(Expected expected) throws Exception {
        try (ConfigurableApplicationContext application = start(expected)) {
            ManualTimeSource time = application.getBean(ManualTimeSource.class);
            URI address = URI.create("http://127.0.0.1:%s/"
                    .formatted(application.getEnvironment().getProperty("local.server.port")));
            long allowed = 0;
            long rejected = 0;
            for (Arrival arrival : TRAFFIC) {
                time.set(arrival.micros());
                switch (send(address, arrival.client())) {
                    case 200 -> allowed++;
                    case 429 -> rejected++;
                    default -> throw new AssertionError("neither admitted nor refused");
                }
            }
            assertThat(allowed).isEqualTo(expected.allowed());
            assertThat(rejected).isEqualTo(expected.rejected());
        }
    }

    static List<Expected> totalsOverHttpAreExact() {
        return lines("requests-apache-expected.csv").stream().map(Expected::of).toList();
    }

    private int send(URI address, String clientName) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).header("X-Client", clientName).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static ConfigurableApplicationContext start(Expected expected) {
        return new SpringApplicationBuilder(Application.class)
                .properties(expected.rule())
                .properties("server.address=127.0.0.1", "server.port=0")
                .run();
    }

    private static List<String> lines(String file) {
        try (InputStream stream = TrafficReplayTests.class.getResourceAsStream("/traffic/" + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .skip(1)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    record Arrival(long micros, String client) {}

    record Expected(
            String algorithm, String limit, String window, String burst, String delay, long allowed, long rejected) {

        static Expected of(String line) {
            String[] fields = line.split(",");
            return new Expected(
                    fields[0],
                    fields[1],
                    fields[2],
                    fields[3],
                    fields[4],
                    Long.parseLong(fields[5]),
                    Long.parseLong(fields[6]));
        }

        Map<String, Object> rule() {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("ratelimit.rules[0].name", "replay");
            rule.put("ratelimit.rules[0].paths", "/**");
            rule.put("ratelimit.rules[0].key", "header('X-Client')");
            rule.put("ratelimit.rules[0].algorithm", algorithm);
            rule.put("ratelimit.rules[0].limit", limit);
            rule.put("ratelimit.rules[0].window", window + "s");
            if (!burst.isEmpty()) {
                rule.put("ratelimit.rules[0].burst", burst);
                rule.put("ratelimit.rules[0].nodelay", delay.equals("nodelay"));
            }
            return rule;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        RateLimitAutoConfiguration.class,
        RateLimitWebAutoConfiguration.class
    })
    @RestController
    static class Application {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }

        @GetMapping("/")
        String answer() {
            return "";
        }
    }
}

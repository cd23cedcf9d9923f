package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.redis.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
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

    private static final List<Expected> EXPECTED =
            lines("requests-apache-expected.csv").stream().map(Expected::of).toList();

    @Test
    void totalsOverHttpAreExactInMemory() throws IOException {
        assertTotalsAreExact(Map.of());
    }

    @Test
    void totalsOverHttpAreExactOnRedis() throws IOException {
        try (RedisProcess redis = RedisProcess.started()) {
            assertTotalsAreExact(Map.of(
                    "ratelimit.backend", "redis",
                    "ratelimit.redis.timeout", "30s",
                    "ratelimit.redis.on-failure", "deny",
                    "spring.data.redis.port", redis.port()));
        }
    }

    private static void assertTotalsAreExact(Map<String, Object> properties) throws IOException {
        try (ConfigurableApplicationContext application = start(properties)) {
            ManualTimeSource time = application.getBean(ManualTimeSource.class);
            int port = Integer.parseInt(application.getEnvironment().getProperty("local.server.port"));
            long[] allowed = new long[EXPECTED.size()];
            long[] rejected = new long[EXPECTED.size()];
            try (Socket socket = new Socket("127.0.0.1", port)) {
                socket.setTcpNoDelay(true);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                for (Arrival arrival : TRAFFIC) {
                    time.set(arrival.micros());
                    socket.getOutputStream().write(requests(arrival.client()));
                    for (int rule = 0; rule < EXPECTED.size(); rule++) {
                        switch (status(in)) {
                            case 200 -> allowed[rule]++;
                            case 429 -> rejected[rule]++;
                            default -> throw new AssertionError("neither admitted nor refused");
                        }
                    }
                }
            }
            assertThat(allowed)
                    .containsExactly(
                            EXPECTED.stream().mapToLong(Expected::allowed).toArray());
            assertThat(rejected)
                    .containsExactly(
                            EXPECTED.stream().mapToLong(Expected::rejected).toArray());
        }
    }

    /** One request for each rule, sent at once; the server answers them in this order. */
    private static byte[] requests(String client) {
        StringBuilder requests = new StringBuilder();
        for (int rule = 0; rule < EXPECTED.size(); rule++) {
            requests.append("GET /%d HTTP/1.1\r\nHost: localhost\r\nX-Client: %s\r\n\r\n".formatted(rule, client));
        }
        return requests.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The next status; it may stand behind the end of the body before it. */
    private static int status(BufferedReader in) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int start = line.indexOf("HTTP/1.1 ");
            if (start >= 0) {
                return Integer.parseInt(line.substring(start + 9, start + 12));
            }
        }
        throw new AssertionError("the connection was closed");
    }

    private static ConfigurableApplicationContext start(Map<String, Object> properties) {
        Map<String, Object> all = new LinkedHashMap<>(properties);
        for (int i = 0; i < EXPECTED.size(); i++) {
            all.putAll(EXPECTED.get(i).rule(i));
        }
        return new SpringApplicationBuilder(Application.class)
                .properties(all)
                .properties("server.address=127.0.0.1", "server.port=0", "server.tomcat.max-keep-alive-requests=-1")
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

        Map<String, Object> rule(int index) {
            String prefix = "ratelimit.rules[%d].".formatted(index);
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put(prefix + "name", "replay" + index);
            rule.put(prefix + "paths", "/" + index);
            rule.put(prefix + "key", "header('X-Client')");
            rule.put(prefix + "algorithm", algorithm);
            rule.put(prefix + "limit", limit);
            rule.put(prefix + "window", window + "s");
            if (!burst.isEmpty()) {
                rule.put(prefix + "burst", burst);
                rule.put(prefix + "nodelay", delay.equals("nodelay"));
            }
            return rule;
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
        RateLimitWebAutoConfiguration.class
    })
    @RestController
    static class Application {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }

        @GetMapping("/{rule}")
        String answer() {
            return "";
        }
    }
}

package io.ratelimit.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** An application on a real server, operated over HTTP while its environment changes under it. */
final class OperatedApplication implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Map<String, Object> environment;

    private final ConfigurableApplicationContext context;

    private OperatedApplication(Map<String, Object> environment, ConfigurableApplicationContext context) {
        this.environment = environment;
        this.context = context;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Wiring {}

    static OperatedApplication start(Class<?> configuration, String... properties) {
        Map<String, Object> environment = new ConcurrentHashMap<>();
        put(environment, properties);
        Map<String, Object> fixed = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn"));
        environment.forEach((name, value) -> {
            if (name.startsWith("logging.")) { // read before the environment below is there
                fixed.put(name, value);
            }
        });
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Wiring.class, configuration)
                .properties(fixed)
                .initializers(starting -> starting.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("changing", environment)))
                .run();
        return new OperatedApplication(environment, context);
    }

    /** Changes the environment, as a configuration server would. */
    void set(String... properties) {
        put(environment, properties);
    }

    void unset(String name) {
        environment.remove(name);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    HttpResponse<String> delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    HttpResponse<String> post(String path, String json, String... headers) {
        return send("POST", path, json, headers);
    }

    /** Posts nothing, as curl -X POST does. */
    HttpResponse<String> post(String path) {
        return send("POST", path, null);
    }

    private HttpResponse<String> send(String method, String path, String json, String... headers) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("no answer to " + method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void put(Map<String, Object> environment, String... properties) {
        for (String property : properties) {
            int equals = property.indexOf('=');
            environment.put(property.substring(0, equals), property.substring(equals + 1));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

package io.ratelimit.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application on a real server and by the real clock, limited by its properties as a user's application is. */
final class ConfiguredApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private ConfiguredApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Wiring {}

    static ConfiguredApplication start(Class<?> configuration, String... properties) {
        return run(configuration, LimitedApplication.WITHOUT_SECURITY, properties);
    }

    static ConfiguredApplication startSecured(Class<?> configuration, String... properties) {
        return run(configuration, "", properties);
    }

    private static ConfiguredApplication run(Class<?> configuration, String excluded, String... properties) {
        Map<String, Object> all = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn",
                "spring.autoconfigure.exclude", excluded));
        for (String property : properties) {
            int equals = property.indexOf('=');
            all.put(property.substring(0, equals), property.substring(equals + 1));
        }
        SpringApplicationBuilder builder = new SpringApplicationBuilder(Wiring.class, configuration);
        return new ConfiguredApplication(builder.properties(all).run());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    RawHttp http() {
        return new RawHttp(port());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}

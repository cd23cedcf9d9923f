package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What an editor shows while {@code application.yml} is written. */
class ConfigurationMetadataTests {

    private final List<Map<String, Object>> properties = read();

    @Test
    void everyKeyIsListed() {
        assertThat(properties)
                .extracting(property -> property.get("name"))
                .containsExactly(
                        "ratelimit.aspect.order",
                        "ratelimit.backend",
                        "ratelimit.client-ip.header",
                        "ratelimit.client-ip.ipv6-prefix",
                        "ratelimit.client-ip.trusted-proxies",
                        "ratelimit.default-key",
                        "ratelimit.enabled",
                        "ratelimit.endpoint.refusals",
                        "ratelimit.endpoint.show-keys",
                        "ratelimit.events.interval",
                        "ratelimit.max-waiting",
                        "ratelimit.memory.max-keys",
                        "ratelimit.metrics.near-limit",
                        "ratelimit.missing-key",
                        "ratelimit.policies",
                        "ratelimit.redis.deny-cache.enabled",
                        "ratelimit.redis.deny-cache.max-age",
                        "ratelimit.redis.deny-cache.max-entries",
                        "ratelimit.redis.key-prefix",
                        "ratelimit.redis.on-failure",
                        "ratelimit.redis.timeout",
                        "ratelimit.rules",
                        "ratelimit.shadow",
                        "ratelimit.web.headers");
    }

    @Test
    void everyKeyIsDescribedInASentence() {
        assertThat(properties).allSatisfy(property -> assertThat((String) property.get("description"))
                .matches("[A-Z].+\\."));
    }

    @Test
    void everyKeyWithOneValueHasItsDefault() {
        assertThat(properties)
                .filteredOn(property -> !((String) property.get("type")).startsWith("java.util."))
                .allSatisfy(property -> assertThat(property).containsKey("defaultValue"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> read() {
        ClassLoader loader = RateLimitProperties.class.getClassLoader();
        try (InputStream file = loader.getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
            String json = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            Object properties = JsonParserFactory.getJsonParser().parseMap(json).get("properties");
            return ((List<Map<String, Object>>) properties)
                    .stream()
                            .filter(property -> ((String) property.get("name")).startsWith("ratelimit."))
                            .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.util.ClassUtils;

/** Classes that are named as text, because they moved between the lines of Spring Boot: each exists on one of them. */
class AutoConfigurationNamesTests {

    private static final List<List<String>> MOVED = List.of(
            List.of(
                    "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                    "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"),
            List.of(
                    "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
                    "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"));

    @Test
    void exactlyOneNameOfEachPairExists() {
        assertThat(MOVED).allSatisfy(names -> assertThat(names)
                .filteredOn(name -> ClassUtils.isPresent(name, getClass().getClassLoader()))
                .hasSize(1));
    }

    @Test
    void noOtherNameIsUsed() throws ClassNotFoundException, IOException {
        Set<String> used = new TreeSet<>();
        for (String name : imports()) {
            AutoConfiguration annotation = Class.forName(name).getAnnotation(AutoConfiguration.class);
            used.addAll(List.of(annotation.afterName()));
            used.addAll(List.of(annotation.beforeName()));
        }
        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(
                        MOVED.stream().flatMap(List::stream).toList());
    }

    private static List<String> imports() throws IOException {
        String file = "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        try (InputStream stream = RateLimitAutoConfiguration.class.getResourceAsStream(file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}

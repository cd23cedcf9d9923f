package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** Starts an application that cannot start, and returns what its user reads. */
final class StartupFailure {

    private StartupFailure() {}

    static FailureAnalysis of(String yaml, Class<?>... configurations) {
        AtomicReference<Environment> environment = new AtomicReference<>();
        AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RateLimitAutoConfiguration.class,
                        RateLimitAspectAutoConfiguration.class,
                        RateLimitWebAutoConfiguration.class))
                .withUserConfiguration(configurations)
                .withInitializer(context -> {
                    context.getEnvironment().getPropertySources().addFirst(yaml(yaml));
                    environment.set(context.getEnvironment());
                })
                .run(context -> {
                    assertThat(context).hasFailed();
                    analysis.set(analyze(context.getStartupFailure(), environment.get()));
                });
        return analysis.get();
    }

    /** Asks the analyzers that this library registers, as Spring Boot does. */
    static FailureAnalysis analyze(Throwable failure, Environment environment) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(Environment.class, environment),
                        (type, name, e) -> {});
        return analyzers.stream()
                .filter(analyzer -> analyzer.getClass().getName().startsWith("io.ratelimit"))
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no explanation", failure));
    }

    static void assertFailure(String yaml, String description, String action, Class<?>... configurations) {
        FailureAnalysis analysis = of(yaml, configurations);
        assertThat(analysis.getDescription()).isEqualTo(description);
        assertThat(analysis.getAction()).isEqualTo(action);
    }

    static PropertySource<?> yaml(String text) {
        try {
            ByteArrayResource resource =
                    new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "application.yml") {
                        @Override
                        public String getDescription() {
                            return "[application.yml]";
                        }
                    };
            return new YamlPropertySourceLoader().load("test", resource).get(0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

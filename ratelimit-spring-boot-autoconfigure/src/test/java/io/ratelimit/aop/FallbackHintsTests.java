package io.ratelimit.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/** What a native image keeps of an application's own beans. */
// The predicates of Spring 6 have other signatures.
@Tag("default-line")
class FallbackHintsTests {

    static class Catalog {

        @RateLimited(limit = 1, window = "1m", fallback = "cached")
        String search(String text) {
            return text;
        }

        String cached(String text, RateLimitExceededException refusal) {
            return text;
        }

        String unrelated(String text) {
            return text;
        }
    }

    @Test
    void fallbacksAreKept() throws Exception {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("example", "Application")), new InMemoryGeneratedFiles());
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(Catalog.class);

        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);

        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Catalog.class.getDeclaredMethod(
                                "cached", String.class, RateLimitExceededException.class)))
                .matches(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Catalog.class.getDeclaredMethod("unrelated", String.class))
                        .negate());
    }
}

package io.ratelimit.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcing;
import io.ratelimit.enforcement.RequestLedger;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.core.NestedExceptionUtils;
import reactor.core.publisher.Mono;

class FallbackTests {

    @Test
    void theFallbackAnswersInsteadOfTheRefusedMethod() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);

            assertThat(catalog.search("x")).isEqualTo("found x");
            assertThat(catalog.search("y")).isEqualTo("cached y");
            assertThat(catalog.explain("x")).isEqualTo("found x");
            assertThat(catalog.explain("y")).isEqualTo("y: Rate limit exceeded: explain");
            assertThat(catalog.stage().join()).isEqualTo("found");
            assertThat(catalog.stage().join()).isEqualTo("cached");
            assertThat(catalog.mono().block()).isEqualTo("found");
            assertThat(catalog.mono().block()).isEqualTo("cached");
        }
    }

    @Test
    void exceptionsOfTheFallbackReachTheCaller() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);
            catalog.failing();

            assertThatThrownBy(catalog::failing)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("empty");
        }
    }

    @Test
    void aFallbackIsARefusalForHeadersAndLeavesEarlierChargesAlone() {
        Enforcing room = new Enforcing();
        room.ledger = new RequestLedger();
        try (LimitedApplication application = LimitedApplication.of(room, context -> {}, Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);
            catalog.search("x");
            catalog.search("y");

            assertThat(room.ledger.charges())
                    .extracting(charge -> charge.decision().allowed())
                    .containsExactly(true, false);
        }
    }

    @Test
    void fallbacksAreCheckedAtStartUp() {
        assertStartFails(
                Missing.class,
                "method Missing.find: fallback 'cached' is no method of Missing with these parameters; add String"
                        + " cached(int), optionally with a RateLimitExceededException as last parameter");
        assertStartFails(
                WrongType.class, "method WrongType.find: fallback 'cached' returns Integer; let it return String");
    }

    private static void assertStartFails(Class<?> bean, String message) {
        assertThatThrownBy(() -> LimitedApplication.of(bean))
                .extracting(NestedExceptionUtils::getMostSpecificCause)
                .extracting(Throwable::getMessage)
                .isEqualTo(message);
    }

    static class Catalog {

        private final String prefix = "cached ";

        @RateLimited(limit = 1, window = "1m", fallback = "cached")
        public String search(String text) {
            return "found " + text;
        }

        private String cached(String text) {
            return prefix + text;
        }

        @RateLimited(name = "explain", limit = 1, window = "1m", fallback = "explained")
        public String explain(String text) {
            return "found " + text;
        }

        String explained(String text, RateLimitExceededException refusal) {
            return text + ": " + refusal.getMessage();
        }

        @RateLimited(limit = 1, window = "1m", fallback = "cachedStage")
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("found");
        }

        CompletableFuture<String> cachedStage() {
            return CompletableFuture.completedFuture("cached");
        }

        @RateLimited(limit = 1, window = "1m", fallback = "cachedMono")
        public Mono<String> mono() {
            return Mono.just("found");
        }

        Mono<String> cachedMono() {
            return Mono.just("cached");
        }

        @RateLimited(limit = 1, window = "1m", fallback = "fail")
        public String failing() {
            return "found";
        }

        String fail() {
            throw new IllegalStateException("empty");
        }
    }

    static class Missing {

        @RateLimited(limit = 1, window = "1m", fallback = "cached")
        public String find(int id) {
            return "found";
        }

        String cached(String id) {
            return id;
        }
    }

    static class WrongType {

        @RateLimited(limit = 1, window = "1m", fallback = "cached")
        public String find(int id) {
            return "found";
        }

        Integer cached(int id) {
            return id;
        }
    }
}

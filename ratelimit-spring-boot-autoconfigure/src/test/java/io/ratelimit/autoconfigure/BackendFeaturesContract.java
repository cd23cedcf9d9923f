package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Decision;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.core.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What users say with annotations and through the {@link RateLimiter} bean; every backend must do the same. */
abstract class BackendFeaturesContract {

    private static final int CALLERS = 64;

    /** Properties that choose the backend. */
    abstract String[] backend();

    @Test
    void parallelFailedLoginsRunNoMoreBodiesThanTheLimit() {
        run((shop, limiter) -> {
            assertThat(admittedTogether(() -> shop.login("alice", "wrong"))).isEqualTo(5);
            assertThat(shop.logins()).isEqualTo(5);
            assertThat(limiter.peek("login", "alice").remaining()).isZero();
        });
    }

    @Test
    void successfulLoginsAllPassAndLeaveTheCountAtZero() {
        run((shop, limiter) -> {
            for (int i = 0; i < CALLERS; i++) {
                assertThat(admitted(() -> shop.login("alice", "secret"))).isTrue();
            }
            assertThat(limiter.peek("login", "alice").remaining()).isEqualTo(5);
        });
    }

    @Test
    void anotherPlanTakesEffectOnTheNextRequestAndKeepsTheCount() {
        run((shop, limiter) -> {
            assertThat(List.of(admitted(shop::order), admitted(shop::order), admitted(shop::order)))
                    .containsExactly(true, true, false);
            shop.choose("pro");
            assertThat(List.of(admitted(shop::order), admitted(shop::order), admitted(shop::order)))
                    .containsExactly(true, true, false);
        });
    }

    @Test
    void annotationAndProgramShareANamedBucket() {
        run((shop, limiter) -> {
            assertThat(limiter.acquire("login", "bob", 3).allowed()).isTrue();
            assertThat(admitted(() -> shop.login("bob", "wrong"))).isTrue();
            assertThat(admitted(() -> shop.login("bob", "wrong"))).isTrue();
            assertThat(admitted(() -> shop.login("bob", "wrong"))).isFalse();
            limiter.reset("login", "bob");
            assertThat(limiter.peek("login", "bob").remaining()).isEqualTo(5);
        });
    }

    @Test
    void costsOfZeroBelowZeroAndAboveCapacity() {
        run((shop, limiter) -> {
            assertThat(limiter.acquire("login", "carol", 0).allowed()).isTrue();
            assertThat(limiter.peek("login", "carol").remaining()).isEqualTo(5);
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire("login", "carol", -1));
            Decision never = limiter.acquire("login", "carol", 6);
            assertThat(never.allowed()).isFalse();
            assertThat(never.retryAfterMicros()).isEqualTo(Decision.NEVER);
            assertThat(limiter.acquire("login", "carol", 5).allowed()).isTrue();
        });
    }

    @Test
    void aRefundGivesBackOnce() {
        run((shop, limiter) -> {
            Decision decision = limiter.acquire("login", "dave", 4);
            limiter.refund(decision);
            limiter.refund(decision);
            assertThat(limiter.peek("login", "dave").remaining()).isEqualTo(5);
            limiter.acquire("login", "dave", 5);
            limiter.refund(decision);
            assertThat(limiter.peek("login", "dave").remaining()).isZero();
        });
    }

    @Test
    void aShadowLimitNeverRefuses() {
        run((shop, limiter) -> {
            for (int i = 0; i < 5; i++) {
                assertThat(admitted(shop::watched)).isTrue();
            }
        });
    }

    private void run(BiConsumer<Shop, RateLimiter> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedisOfThisLine.autoConfiguration(),
                        RateLimitRedisAutoConfiguration.class,
                        RateLimitAspectAutoConfiguration.class,
                        RateLimitAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "ratelimit.policies.login.limit=5",
                        "ratelimit.policies.login.window=15m",
                        "ratelimit.policies.login.algorithm=sliding-log",
                        "ratelimit.policies.free.limit=2",
                        "ratelimit.policies.free.window=1h",
                        "ratelimit.policies.pro.limit=4",
                        "ratelimit.policies.pro.window=1h")
                .withPropertyValues(backend())
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    limiter.reset();
                    test.accept(context.getBean(Shop.class), limiter);
                });
    }

    private static int admittedTogether(Runnable call) {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        CountDownLatch start = new CountDownLatch(CALLERS);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                results.add(callers.submit(() -> {
                    start.countDown();
                    start.await();
                    return admitted(call);
                }));
            }
            int admitted = 0;
            for (Future<Boolean> result : results) {
                admitted += result.get() ? 1 : 0;
            }
            return admitted;
        } catch (Exception e) {
            throw new AssertionError("a caller failed", e);
        } finally {
            callers.shutdownNow();
        }
    }

    private static boolean admitted(Runnable call) {
        try {
            call.run();
            return true;
        } catch (RateLimitExceededException e) {
            return false;
        }
    }

    static class Shop {

        private final AtomicInteger logins = new AtomicInteger();

        private volatile String plan = "free";

        public int logins() {
            return logins.get();
        }

        public void choose(String other) {
            plan = other;
        }

        public String plan() {
            return plan;
        }

        @RateLimited(name = "login", policy = "login", key = "#user", countWhen = "result == false")
        public boolean login(String user, String password) {
            logins.incrementAndGet();
            return password.equals("secret");
        }

        @RateLimited(name = "orders", policy = "#{@shop.plan()}", key = "'one'")
        public void order() {}

        @RateLimited(name = "watched", limit = 1, window = "1h", key = "'one'", shadow = true)
        public void watched() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }
}

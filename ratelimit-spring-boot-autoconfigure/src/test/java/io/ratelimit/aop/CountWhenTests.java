package io.ratelimit.aop;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimitExceededException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CountWhenTests {

    private static final int CALLERS = 64;

    private final LimitedApplication application = LimitedApplication.of(Login.class);

    private final Login login = application.get(Login.class);

    @BeforeEach
    void startAtZero() {
        Login.BODIES.set(0);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void parallelFailuresNeverRunMoreBodiesThanTheLimit() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                results.add(callers.submit(() -> {
                    start.await();
                    return isAdmitted(() -> login.login("alice", "wrong"));
                }));
            }
            start.countDown();
            int admitted = 0;
            for (Future<Boolean> result : results) {
                admitted += result.get() ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(5);
            assertThat(Login.BODIES).hasValue(5);
            assertThat(remaining("login", "alice")).isZero();
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void successesOneAfterTheOtherAllPassAndLeaveTheCountAtZero() {
        for (int i = 0; i < CALLERS; i++) {
            assertThat(login.login("alice", "secret")).isTrue();
        }
        assertThat(Login.BODIES).hasValue(CALLERS);
        assertThat(remaining("login", "alice")).isEqualTo(5);
    }

    @Test
    void parallelSuccessesNeverRunMoreBodiesAtOnceThanTheLimitAndLeaveTheCountAtZero() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                results.add(callers.submit(() -> isAdmitted(() -> login.login("alice", "secret"))));
            }
            for (Future<Boolean> result : results) {
                result.get();
            }
            assertThat(remaining("login", "alice")).isEqualTo(5);
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void anExceptionIsSeenAsError() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> login.strict("alice", "wrong")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> login.strict("alice", "secret")).isInstanceOf(RateLimitExceededException.class);
    }

    @Test
    void stagesAreSettledByTheirValueBeforeTheCallerSeesIt() {
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> result = login.stage(pending);
        assertThat(remaining("stage", "none:")).isEqualTo(4);

        pending.complete("ok");

        assertThat(result.join()).isEqualTo("ok");
        assertThat(remaining("stage", "none:")).isEqualTo(5);
        login.stage(CompletableFuture.completedFuture("failed")).join();
        assertThat(remaining("stage", "none:")).isEqualTo(4);
        assertThat(login.stage(CompletableFuture.failedFuture(new TimeoutException())))
                .isCompletedExceptionally();
        assertThat(remaining("stage", "none:")).isEqualTo(3);
        assertThat(login.stage(CompletableFuture.failedFuture(new IllegalStateException())))
                .isCompletedExceptionally();
        assertThat(remaining("stage", "none:")).isEqualTo(3);
    }

    @Test
    void cancellingTheResultCancelsTheWork() {
        CompletableFuture<String> work = new CompletableFuture<>();

        login.stage(work).cancel(true);

        assertThat(work).isCancelled();
    }

    @Test
    void callablesAreSettledWhenTheyRan() throws Exception {
        Callable<String> ok = login.callable("ok");
        assertThat(remaining("callable", "none:")).isEqualTo(4);
        assertThat(ok.call()).isEqualTo("ok");
        assertThat(remaining("callable", "none:")).isEqualTo(5);
        login.callable("failed").call();
        assertThat(remaining("callable", "none:")).isEqualTo(4);
    }

    @Test
    void monoAndFluxAreSettledWhenTheyComplete() {
        assertThat(login.mono("ok").block()).isEqualTo("ok");
        assertThat(remaining("mono", "none:")).isEqualTo(5);
        login.mono("failed").block();
        assertThat(remaining("mono", "none:")).isEqualTo(4);
        assertThat(login.flux("ok").collectList().block()).containsExactly("first", "ok");
        assertThat(remaining("flux", "none:")).isEqualTo(5);
        login.flux("failed").blockLast();
        assertThat(remaining("flux", "none:")).isEqualTo(4);
    }

    private long remaining(String name, String key) {
        var algorithm = name.equals("login") ? SLIDING_LOG : FIXED_WINDOW;
        Limit limit = Limit.of(algorithm, 5, Duration.ofMinutes(15));
        return application.room.limiter().peek(Policy.of(name, limit), key).remaining();
    }

    private static boolean isAdmitted(Runnable call) {
        try {
            call.run();
            return true;
        } catch (RateLimitExceededException e) {
            return false;
        }
    }

    static class Login {

        static final AtomicInteger BODIES = new AtomicInteger();

        @RateLimited(
                name = "login",
                limit = 5,
                window = "15m",
                algorithm = SLIDING_LOG,
                key = "#user",
                countWhen = "result == false")
        public boolean login(String user, String password) {
            BODIES.incrementAndGet();
            return password.equals("secret");
        }

        @RateLimited(
                limit = 5,
                window = "15m",
                algorithm = FIXED_WINDOW,
                key = "#user",
                countWhen = "error instanceof T(IllegalArgumentException)")
        public boolean strict(String user, String password) {
            if (!password.equals("secret")) {
                throw new IllegalArgumentException("wrong password");
            }
            return true;
        }

        @RateLimited(
                name = "stage",
                limit = 5,
                window = "15m",
                algorithm = FIXED_WINDOW,
                countWhen = "result == 'failed'")
        public CompletableFuture<String> stage(CompletableFuture<String> work) {
            return work;
        }

        @RateLimited(
                name = "callable",
                limit = 5,
                window = "15m",
                algorithm = FIXED_WINDOW,
                countWhen = "result == 'failed'")
        public Callable<String> callable(String result) {
            return () -> result;
        }

        @RateLimited(
                name = "mono",
                limit = 5,
                window = "15m",
                algorithm = FIXED_WINDOW,
                countWhen = "result == 'failed'")
        public Mono<String> mono(String result) {
            return Mono.just(result);
        }

        @RateLimited(
                name = "flux",
                limit = 5,
                window = "15m",
                algorithm = FIXED_WINDOW,
                countWhen = "result == 'failed'")
        public Flux<String> flux(String result) {
            return Flux.just("first", result);
        }
    }
}

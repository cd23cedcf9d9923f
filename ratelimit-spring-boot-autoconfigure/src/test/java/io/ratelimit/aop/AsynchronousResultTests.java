package io.ratelimit.aop;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcing;
import io.ratelimit.enforcement.RequestLedger;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class AsynchronousResultTests {

    private final Enforcing room = new Enforcing();

    private final LimitedApplication application = LimitedApplication.of(room, context -> {}, Work.class);

    private final Work work = application.get(Work.class);

    @BeforeEach
    void startAtZero() {
        Work.BODIES.set(0);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void refusedMeansThatTheBodyNeverRan() throws Exception {
        work.stage().join();
        assertThatThrownBy(() -> work.stage().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RateLimitExceededException.class);
        work.callable().call();
        assertThatThrownBy(work::callable).isInstanceOf(RateLimitExceededException.class);
        work.deferred();
        assertThatThrownBy(work::deferred).isInstanceOf(RateLimitExceededException.class);
        work.emitter();
        assertThatThrownBy(work::emitter).isInstanceOf(RateLimitExceededException.class);
        work.streaming();
        assertThatThrownBy(work::streaming).isInstanceOf(RateLimitExceededException.class);
        work.mono().block();
        assertThatThrownBy(() -> work.mono().block()).isInstanceOf(RateLimitExceededException.class);
        work.flux().blockLast();
        assertThatThrownBy(() -> work.flux().blockLast()).isInstanceOf(RateLimitExceededException.class);

        assertThat(Work.BODIES).hasValue(7);
    }

    @Test
    void reactiveTypesAreChargedAtEachSubscription() {
        Mono<Integer> cold = work.mono();
        assertThat(Work.BODIES).hasValue(0);

        assertThat(cold.block()).isEqualTo(1);
        assertThatThrownBy(cold::block).isInstanceOf(RateLimitExceededException.class);
        room.time.advance(Duration.ofMinutes(1));
        assertThat(cold.block()).isEqualTo(2);
    }

    @Test
    void aMonoThatWaitsFreesItsPlaceWhenItIsCancelled() {
        assertThat(work.queued().block()).isEqualTo(1);
        Disposable waiting = work.queued().subscribe();
        assertThat(room.waitingRoom.waiting("queued")).isEqualTo(1);

        waiting.dispose();

        assertThat(room.waitingRoom.waiting("queued")).isZero();
        assertThat(Work.BODIES).hasValue(1);
        Limit limit = Limit.of(LEAKY_BUCKET, 1, Duration.ofDays(1)).withBurst(5);
        assertThat(room.limiter().peek(Policy.of("queued", limit), "none:").remaining())
                .isEqualTo(5);
    }

    @Test
    void aMonoWaitsWithoutItsCaller() {
        assertThat(work.quick().block()).isEqualTo(1);
        assertThat(work.quick().block(Duration.ofSeconds(30))).isEqualTo(2);
        assertThat(room.waitingRoom.waiting("quick")).isZero();
    }

    @Test
    void deferredResultsAreSettledWithTheirRequest() {
        room.ledger = new RequestLedger();
        DeferredResult<String> passed = work.counted();
        DeferredResult<String> failed = work.counted();
        DeferredResult<String> thrown = work.counted();
        work.counted();
        passed.setResult("ok");
        failed.setResult("failed");
        thrown.setErrorResult(new IllegalStateException());
        assertThat(remaining("counted")).isEqualTo(6);

        room.ledger.complete(200, null);

        // The failed one counts, and the one that has no result yet: a timeout.
        assertThat(remaining("counted")).isEqualTo(8);
    }

    @Test
    void emittersAreSettledByTheStatusOfTheirRequest() {
        room.ledger = new RequestLedger();
        work.countedEmitter();
        assertThat(remaining("emitter")).isEqualTo(9);

        room.ledger.complete(200, null);

        assertThat(remaining("emitter")).isEqualTo(10);
    }

    private long remaining(String name) {
        Limit limit = Limit.of(FIXED_WINDOW, 10, Duration.ofMinutes(1));
        return room.limiter().peek(Policy.of(name, limit), "none:").remaining();
    }

    static class Work {

        static final AtomicInteger BODIES = new AtomicInteger();

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public CompletableFuture<Integer> stage() {
            return CompletableFuture.completedFuture(BODIES.incrementAndGet());
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public Callable<Integer> callable() {
            return BODIES::incrementAndGet;
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public DeferredResult<Integer> deferred() {
            DeferredResult<Integer> result = new DeferredResult<>();
            result.setResult(BODIES.incrementAndGet());
            return result;
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public SseEmitter emitter() {
            BODIES.incrementAndGet();
            return new SseEmitter();
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public ResponseEntity<StreamingResponseBody> streaming() {
            BODIES.incrementAndGet();
            return ResponseEntity.ok(output -> output.write(1));
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public Mono<Integer> mono() {
            return Mono.just(BODIES.incrementAndGet());
        }

        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public Flux<Integer> flux() {
            return Flux.just(BODIES.incrementAndGet());
        }

        @RateLimited(name = "queued", limit = 1, window = "1d", algorithm = LEAKY_BUCKET, burst = 5)
        public Mono<Integer> queued() {
            return Mono.just(BODIES.incrementAndGet());
        }

        @RateLimited(name = "quick", limit = 1000, window = "1s", algorithm = LEAKY_BUCKET, burst = 5)
        public Mono<Integer> quick() {
            return Mono.just(BODIES.incrementAndGet());
        }

        @RateLimited(
                name = "counted",
                limit = 10,
                window = "1m",
                algorithm = FIXED_WINDOW,
                countWhen = "result == 'failed'")
        public DeferredResult<String> counted() {
            return new DeferredResult<>();
        }

        @RateLimited(
                name = "emitter",
                limit = 10,
                window = "1m",
                algorithm = FIXED_WINDOW,
                countWhen = "status == 401 or error != null")
        public SseEmitter countedEmitter() {
            return new SseEmitter();
        }
    }
}

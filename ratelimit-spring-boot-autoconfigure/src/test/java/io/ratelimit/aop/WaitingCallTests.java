package io.ratelimit.aop;

import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcing;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitingCallTests {

    private final LimitedApplication application = LimitedApplication.of(new Enforcing(2), context -> {}, Queue.class);

    private final Queue queue = application.get(Queue.class);

    @BeforeEach
    void startAtZero() {
        Queue.RUNS.set(0);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void aCallWaitsOnItsOwnThread() {
        queue.plain();
        queue.plain();
        queue.plain();

        assertThat(application.pause.awaited).containsExactly(1_000_000L, 2_000_000L);
        assertThat(application.room.waitingRoom.waiting("plain")).isZero();
    }

    @Test
    void whoWouldWaitTooLongIsRefusedAtOnce() {
        queue.bounded();
        queue.bounded();

        assertThatThrownBy(queue::bounded)
                .isInstanceOfSatisfying(
                        RateLimitExceededException.class,
                        refusal -> assertThat(refusal.retryAfterMicros()).isEqualTo(1_000_000));
        assertThat(application.pause.awaited).containsExactly(1_000_000L);
    }

    @Test
    void anInterruptFreesThePlace() {
        queue.plain();
        application.pause.interrupt = new InterruptedException();

        assertThatThrownBy(queue::plain).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(application.room.waitingRoom.waiting("plain")).isZero();
        application.pause.interrupt = null;
        queue.plain();
        assertThat(application.pause.awaited).containsExactly(1_000_000L);
        assertThat(Queue.RUNS).hasValue(2);
    }

    @Test
    void anInterruptIsThrownAsItIsWhereTheMethodDeclaresIt() throws InterruptedException {
        queue.interruptible();
        application.pause.interrupt = new InterruptedException("stop");

        assertThatThrownBy(queue::interruptible).isSameAs(application.pause.interrupt);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aStageWaitsWithoutAThread() {
        assertThat(queue.stage().join()).isEqualTo(1);
        CompletableFuture<Integer> second = queue.stage();

        assertThat(second).isNotDone();
        assertThat(Queue.RUNS).hasValue(1);
        assertThat(application.room.waitingRoom.waiting("stage")).isEqualTo(1);
        application.pause.timers.remove().complete(null);

        assertThat(second.join()).isEqualTo(2);
        assertThat(application.room.waitingRoom.waiting("stage")).isZero();
    }

    @Test
    void whoCancelsAWaitingStageFreesItsPlaceAndItsBodyNeverRuns() {
        queue.stage().join();
        CompletableFuture<Integer> second = queue.stage();

        second.cancel(false);
        CompletableFuture<Integer> third = queue.stage();

        assertThat(application.pause.awaited).containsExactly(1_000_000L, 1_000_000L);
        assertThat(application.pause.timers.remove()).isCancelled();
        application.pause.timers.remove().complete(null);
        assertThat(third.join()).isEqualTo(2);
        assertThat(application.room.waitingRoom.waiting("stage")).isZero();
    }

    @Test
    void noMoreThanTheMaximumWait() {
        queue.stage();
        queue.stage();
        queue.stage();

        CompletableFuture<Integer> turnedAway = queue.stage();

        assertThat(turnedAway).isCompletedExceptionally();
        assertThatThrownBy(turnedAway::join)
                .cause()
                .isInstanceOfSatisfying(
                        RateLimitExceededException.class,
                        refusal -> assertThat(refusal.retryAfterMicros()).isEqualTo(1_000_000));
        assertThat(application.room.waitingRoom.waiting("stage")).isEqualTo(2);
    }

    @Test
    void contextIsThereWhenTheBodyRunsLater() {
        ClassLoader former = Thread.currentThread().getContextClassLoader();
        ClassLoader own = new ClassLoader(former) {};
        queue.loader().join();
        Thread.currentThread().setContextClassLoader(own);
        CompletableFuture<ClassLoader> later = queue.loader();
        Thread.currentThread().setContextClassLoader(former);

        application.pause.timers.remove().complete(null);

        assertThat(later.join()).isSameAs(own);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(former);
    }

    @Test
    void realWaitsEndAndCanBeInterrupted() throws InterruptedException {
        long before = System.nanoTime();
        Pause.real().await(2_000);
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(2_000_000);

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Pause.real().await(60_000_000)).isInstanceOf(InterruptedException.class);
        assertThat(Pause.real().after(1_000).join()).isNull();
    }

    static class Queue {

        static final AtomicInteger RUNS = new AtomicInteger();

        @RateLimited(name = "plain", limit = 1, window = "1s", algorithm = LEAKY_BUCKET, burst = 10)
        public int plain() {
            return RUNS.incrementAndGet();
        }

        @RateLimited(limit = 1, window = "1s", algorithm = LEAKY_BUCKET, burst = 10, maxDelay = "1s")
        public int bounded() {
            return RUNS.incrementAndGet();
        }

        @RateLimited(limit = 1, window = "1s", algorithm = LEAKY_BUCKET, burst = 10)
        public int interruptible() throws InterruptedException {
            return RUNS.incrementAndGet();
        }

        @RateLimited(name = "stage", limit = 1, window = "1s", algorithm = LEAKY_BUCKET, burst = 10)
        public CompletableFuture<Integer> stage() {
            return CompletableFuture.completedFuture(RUNS.incrementAndGet());
        }

        @RateLimited(limit = 1, window = "1s", algorithm = LEAKY_BUCKET, burst = 10)
        public CompletableFuture<ClassLoader> loader() {
            return CompletableFuture.completedFuture(Thread.currentThread().getContextClassLoader());
        }
    }
}

package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BucketStateTests {

    private static final Limit FIVE = Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofHours(1));

    private static final Policy ONE = Policy.of("p", FIVE);

    private static final Policy TWO = Policy.of("p", FIVE, Limit.of(Algorithm.FIXED_WINDOW, 9, Duration.ofMinutes(1)));

    @Test
    void whoWaitsForAStateThatLeavesIsToldSoEvenIfItsCountsGoOnElsewhere() throws Exception {
        BucketState stored = BucketState.fresh(ONE);
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Policy> told = CompletableFuture.supplyAsync(() -> {
            waits.countDown();
            return stored.claim();
        });
        waits.await();
        BucketState shaped = stored.shapedFor(ONE, TWO);
        stored.release(BucketState.GONE);
        shaped.part(0).charge(FIVE, 3_600_000_000L, 1);
        assertThat(told.get(20, TimeUnit.SECONDS)).isSameAs(BucketState.GONE);
        assertThat(stored.claim()).isSameAs(BucketState.GONE);
    }

    @Test
    void timeAndCountsSurviveTheClaim() {
        LimitState state = (LimitState) BucketState.fresh(ONE);
        state.charge(FIVE, 7_200_000_000L, 4);
        state.release(ONE);
        assertThat(state.claim()).isSameAs(ONE);
        assertThat(state.tryClaim()).isNull();
        assertThat(state.remaining(FIVE, 7_200_000_001L)).isEqualTo(1);
        assertThat(state.remaining(FIVE, 10_800_000_000L)).isEqualTo(5);
    }
}

package io.ratelimit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.testing.RefundContract;
import org.junit.jupiter.api.Test;

class PackedRefundTests extends RefundContract {

    private final MemoryBackend store = MemoryBackend.packing(time, 1_000);

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return MemoryBackend.packing(timeSource, 1_000_000);
    }

    /** A million permits of the earlier limit, in units of the later one, leave 63 bits. */
    @Test
    void whatFlowedBackUnderAnotherLimitIsNotGivenBack() {
        Policy fast = Policy.of("p", year(Limit.MAX_LIMIT));
        Policy slow = Policy.of("p", year(1));
        Decision early = charge(fast, 1_000_000);
        time.advanceMicros(32 * SECOND);
        store.sweep();
        assertThat(store.keys()).isZero();
        charge(slow, 1);
        early.refund();
        assertThat(charge(slow, 1).allowed()).isFalse();
    }

    @Test
    void whoLeavesAQueueThatWasForgottenFreesNoPlace() {
        Limit slow = Limit.ofMicros(Algorithm.LEAKY_BUCKET, 1, 60 * SECOND).withBurst(4);
        Policy queue = Policy.of("p", slow);
        Policy fast = Policy.of(
                "p",
                Limit.ofMicros(Algorithm.LEAKY_BUCKET, 60, 60 * SECOND)
                        .withBurst(9)
                        .withNodelay());
        charge(queue, 1);
        Decision waits = charge(queue, 2);
        assertThat(waits.delayMicros()).isEqualTo(120 * SECOND);
        charge(fast, 1);
        time.advanceMicros(10 * SECOND);
        store.sweep();
        assertThat(store.keys()).isZero();
        charge(fast, 10);
        waits.refund();
        assertThat(charge(fast, 1).allowed()).isFalse();
    }

    private Decision charge(Policy policy, long cost) {
        return store.acquire(policy, "k", cost, Acquisition.Mode.RESERVE);
    }

    private static Limit year(long permits) {
        return Limit.ofMicros(Algorithm.TOKEN_BUCKET, permits, Limit.MAX_WINDOW_MICROS);
    }
}

package io.ratelimit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when there are more keys than the store may remember. */
class FloodTests {

    private static final long HOUR = 3_600_000_000L;

    private static final int BOUND = 1000;

    private final ManualTimeSource time = new ManualTimeSource(1_760_054_400_000_000L);

    private final MemoryBackend backend = create(time, BOUND);

    /** Creates a store under test. */
    MemoryBackend create(ManualTimeSource timeSource, long bound) {
        return new MemoryBackend(timeSource, bound);
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    @ParameterizedTest
    @EnumSource
    void aFloodOfExhaustedKeysFreesNobodyRunsLimitedAndLocksFewOut(Algorithm algorithm) {
        Policy policy = Policy.of("p", permits(algorithm, 5));
        assertThat(exhaust(policy, "victim")).isEqualTo(5);
        int served = 0;
        long admitted = 0;
        for (int i = 0; i < 5000; i++) {
            long got = exhaust(policy, "flood-" + i);
            admitted += got;
            served += i >= 4000 && got > 0 ? 1 : 0;
            assertThat(backend.size()).isLessThanOrEqualTo(BOUND);
        }
        assertThat(acquire(policy, "victim").allowed()).isFalse();
        assertThat(served).isBetween(501, 999);
        assertThat(admitted).isLessThanOrEqualTo((BOUND + Overflow.SLOTS) * 5L);
        time.advanceMicros(3 * HOUR);
        backend.sweep();
        assertThat(backend.size()).isZero();
        assertThat(backend.keys()).isZero();
    }

    @Test
    void aLogKeepsTheBoundAndNeverAdmitsMore() {
        Policy policy = Policy.of("log", Limit.ofMicros(Algorithm.SLIDING_LOG, 10_000, HOUR));
        long admitted = 0;
        for (int i = 0; i < 15_000; i++) {
            admitted += acquire(policy, "alice").allowed() ? 1 : 0;
            time.advanceMicros(1);
            assertThat(backend.size()).isLessThanOrEqualTo(BOUND);
        }
        assertThat(admitted).isEqualTo(10_000);
        time.advanceMicros(HOUR);
        assertThat(acquire(policy, "alice").allowed()).isTrue();
        time.advanceMicros(HOUR + 1);
        backend.sweep();
        assertThat(backend.size()).isZero();
    }

    @Test
    void manyLogsKeepTheBoundTogether() {
        Policy policy = Policy.of("log", Limit.ofMicros(Algorithm.SLIDING_LOG, 100, HOUR));
        long[] admitted = new long[50];
        for (int i = 0; i < 200 * admitted.length; i++) {
            int client = i % admitted.length;
            admitted[client] += acquire(policy, "client-" + client).allowed() ? 1 : 0;
            time.advanceMicros(1);
            assertThat(backend.size()).isLessThanOrEqualTo(BOUND);
        }
        assertThat(acquire(policy, "client-0").remaining()).isLessThanOrEqualTo(100);
    }

    @Test
    void idleStatesMakeRoomFirst() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, HOUR));
        for (int i = 0; i < BOUND; i++) {
            acquire(policy, "old-" + i);
        }
        time.advanceMicros(2 * HOUR);
        for (int i = 0; i < BOUND / 4; i++) {
            assertThat(exhaust(policy, "new-" + i)).isEqualTo(5);
        }
        for (int i = 0; i < BOUND / 4; i++) {
            assertThat(acquire(policy, "new-" + i).allowed()).isFalse();
        }
        assertThat(backend.size()).isEqualTo(BOUND);
    }

    @Test
    void whoSharedAStateKeepsItsCountWhenThereIsRoomAgain() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, HOUR));
        Policy brief = Policy.of("brief", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, 1_000));
        for (int i = 0; i < BOUND; i++) {
            acquire(brief, "brief-" + i);
        }
        assertThat(exhaust(policy, "late")).isEqualTo(5);
        time.advanceMicros(1_000);
        backend.sweep();
        assertThat(backend.size()).isZero();
        assertThat(acquire(policy, "late").allowed()).isFalse();
    }

    @Test
    void aSharedChargeIsRefundedAndReset() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, HOUR));
        Policy full = Policy.of("full", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        for (int i = 0; i < BOUND; i++) {
            acquire(full, "full-" + i);
        }
        Decision decision = backend.acquire(policy, "late", 3, Acquisition.Mode.SPEND);
        assertThat(backend.peek(policy, "late").remaining()).isEqualTo(2);
        assertThat(decision.refund()).isTrue();
        assertThat(backend.peek(policy, "late").remaining()).isEqualTo(5);
        assertThat(exhaust(policy, "late")).isEqualTo(5);
        backend.reset(policy, "late");
        assertThat(exhaust(policy, "late")).isEqualTo(5);
    }

    /** Also while the number of permits changes, or where each key has a plan of its own. */
    @ParameterizedTest
    @EnumSource
    void keysOfDifferentLimitsShareAState(Algorithm algorithm) {
        MemoryBackend full = create(time, 1);
        Policy five = Policy.of("p", permits(algorithm, 5));
        Policy eight = Policy.of("p", permits(algorithm, 8));
        full.acquire(Policy.of("full", permits(algorithm, 1)), "k", 1, Acquisition.Mode.SPEND);
        Decision early = full.acquire(five, "a", 4, Acquisition.Mode.SPEND);
        assertThat(full.acquire(eight, "a", 2, Acquisition.Mode.SPEND).remaining())
                .isEqualTo(2);
        assertThat(full.acquire(five, "a", 1, Acquisition.Mode.SPEND).allowed()).isFalse();
        assertThat(full.peek(eight, "a").remaining()).isEqualTo(2);
        early.refund();
        assertThat(full.peek(eight, "a").remaining()).isEqualTo(6);
        full.reset(Policy.of("full", permits(algorithm, 1)), "k");
        assertThat(full.acquire(five, "a", 1, Acquisition.Mode.SPEND).remaining())
                .isEqualTo(2);
        assertThat(full.keys()).isEqualTo(1);
        full.close();
    }

    @Test
    void whatWasForgottenIsNotGivenBackWhereKeysShare() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, HOUR));
        Policy full = Policy.of("full", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, HOUR));
        Decision forgotten = backend.acquire(policy, "early", 2, Acquisition.Mode.SPEND);
        for (int i = 0; i < BOUND; i++) {
            acquire(full, "full-" + i);
        }
        assertThat(backend.acquire(policy, "early", 3, Acquisition.Mode.SPEND).remaining())
                .isEqualTo(2);
        forgotten.refund();
        assertThat(backend.peek(policy, "early").remaining()).isEqualTo(2);
    }

    @Test
    void refusedAndPeekedNewcomersLeaveNothingBehind() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.SLIDING_LOG, 5, HOUR));
        Policy several = Policy.of(
                "several",
                Limit.ofMicros(Algorithm.SLIDING_LOG, 5, HOUR),
                Limit.ofMicros(Algorithm.SLIDING_LOG, 9, HOUR));
        backend.peek(policy, "a");
        backend.acquire(policy, "b", 0, Acquisition.Mode.SPEND);
        backend.acquire(several, "c", 6, Acquisition.Mode.SPEND);
        assertThat(backend.size()).isZero();
        assertThat(backend.keys()).isZero();
        backend.acquire(several, "c", 5, Acquisition.Mode.SPEND);
        assertThat(backend.size()).isEqualTo(2);
        backend.reset();
        assertThat(backend.size()).isZero();
    }

    private static Limit permits(Algorithm algorithm, long permits) {
        Limit limit = Limit.ofMicros(algorithm, permits, HOUR);
        return algorithm == Algorithm.LEAKY_BUCKET
                ? limit.withBurst(permits - 1).withNodelay()
                : limit;
    }

    private Decision acquire(Policy policy, String key) {
        return backend.acquire(policy, key, 1, Acquisition.Mode.SPEND);
    }

    private long exhaust(Policy policy, String key) {
        long admitted = 0;
        while (acquire(policy, key).allowed()) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void aResetOfAnotherKeyInASharedPlaceEndsTheRefundsOfAllWhoShareIt() {
        MemoryBackend full = create(time, 1);
        Policy two = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 2, HOUR));
        full.acquire(two, "first", 2, Acquisition.Mode.SPEND);
        Decision shared = full.acquire(two, "a", 1, Acquisition.Mode.SPEND);
        for (int i = 0; full.peek(two, "a").remaining() < 2; i++) {
            full.reset(two, "other" + i);
        }
        assertThat(full.acquire(two, "a", 2, Acquisition.Mode.SPEND).allowed()).isTrue();
        shared.refund();
        assertThat(full.acquire(two, "a", 1, Acquisition.Mode.SPEND).allowed()).isFalse();
        full.close();
    }

    @Test
    void aRefusedKeyCostsNoMoreAfterALiveChange() {
        Policy before = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 5, HOUR));
        Policy after = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 4, HOUR));
        backend.acquire(before, "k", 5, Acquisition.Mode.SPEND);
        long usual = bytesOfARefusal(before);
        assertThat(bytesOfARefusal(after)).isLessThanOrEqualTo(usual + 16);
    }

    private long bytesOfARefusal(Policy policy) {
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        for (int i = 0; i < 1_000; i++) {
            backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
        }
        long start = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 10_000; i++) {
            backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
        }
        return (threads.getThreadAllocatedBytes(thread) - start) / 10_000;
    }
}

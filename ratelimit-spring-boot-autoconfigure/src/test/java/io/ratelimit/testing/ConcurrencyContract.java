package io.ratelimit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 64 threads that ask 100 times each get exactly what there is. */
public abstract class ConcurrencyContract extends BackendContract {

    private static final int THREADS = 64;

    private static final int CALLS = 100;

    private static final long HOUR = 3_600_000_000L;

    @ParameterizedTest
    @EnumSource
    void exactlyTheLimitIsAdmitted(Algorithm algorithm) throws Exception {
        Policy policy = policy(permits(algorithm, 50));
        assertThat(admittedConcurrently(thread -> acquire(policy, 1).allowed())).isEqualTo(50);
    }

    @Test
    void exactlyTheSmallerLimitIsAdmittedAndTheLargerChargedNoMore() throws Exception {
        Policy policy =
                policy(permits(Algorithm.SLIDING_COUNTER, 50), Limit.ofMicros(Algorithm.FIXED_WINDOW, 80, HOUR));
        assertThat(admittedConcurrently(thread -> acquire(policy, 1).allowed())).isEqualTo(50);
        assertThat(backend.peek(policy, "alice").limits().get(1).remaining()).isEqualTo(30);
    }

    @Test
    void policiesAskedInDifferentOrdersAreChargedTogether() throws Exception {
        Policy one = policy(permits(Algorithm.TOKEN_BUCKET, 50));
        Policy other = policy(Limit.ofMicros(Algorithm.FIXED_WINDOW, 80, HOUR));
        List<Acquisition> there = List.of(Acquisition.of(one, "alice", 1), Acquisition.of(other, "bob", 1));
        List<Acquisition> back = List.of(there.get(1), there.get(0));
        long admitted = admittedConcurrently(thread ->
                backend.acquireAll(thread % 2 == 0 ? there : back).stream().allMatch(Decision::allowed));
        assertThat(admitted).isEqualTo(50);
        assertThat(backend.peek(other, "bob").remaining()).isEqualTo(30);
    }

    /** While a limit changes, some still decide by what it was. */
    @ParameterizedTest
    @EnumSource
    void whatIsTakenUnderAnotherNumberOfPermitsCountsAsWell(Algorithm algorithm) throws Exception {
        Policy fifty = policy(permits(algorithm, 50));
        Policy forty = Policy.of(fifty.name(), permits(algorithm, 40));
        long admitted = admittedConcurrently(
                thread -> acquire(thread % 2 == 0 ? fifty : forty, 1).allowed());
        assertThat(admitted).isEqualTo(50);
        assertThat(backend.peek(forty, "alice").remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRefundedCanBeTakenAgain(Algorithm algorithm) throws Exception {
        Policy policy = policy(permits(algorithm, 50));
        admittedConcurrently(thread -> {
            Decision decision = acquire(policy, 1);
            return decision.allowed() && decision.refund();
        });
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(50);
    }

    private static Limit permits(Algorithm algorithm, long permits) {
        Limit limit = Limit.ofMicros(algorithm, permits, HOUR);
        return algorithm == Algorithm.LEAKY_BUCKET
                ? limit.withBurst(permits - 1).withNodelay()
                : limit;
    }

    /** One call of a thread. */
    private interface Call {
        boolean admitted(int thread);
    }

    private static long admittedConcurrently(Call call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                results.add(threads.submit(calls(call, i, start)));
            }
            long admitted = 0;
            for (Future<Long> result : results) {
                admitted += result.get();
            }
            return admitted;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Long> calls(Call call, int thread, CountDownLatch start) {
        return () -> {
            start.countDown();
            start.await();
            long admitted = 0;
            for (int i = 0; i < CALLS; i++) {
                admitted += call.admitted(thread) ? 1 : 0;
            }
            return admitted;
        };
    }
}

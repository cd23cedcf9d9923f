package io.ratelimit.testing;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A backend under test and a clock that is set by hand. Each test asks for policies that no other test uses. */
public abstract class BackendContract {

    /** Edge of windows of one second, minute, hour and day. */
    protected static final long EDGE = 1_760_054_400_000_000L;

    protected static final long SECOND = 1_000_000;

    private static final AtomicLong POLICIES = new AtomicLong();

    protected final ManualTimeSource time = new ManualTimeSource(EDGE);

    protected Backend backend;

    /** Creates the backend under test, which is closed after each test if it can be. */
    protected abstract Backend createBackend(ManualTimeSource timeSource);

    @BeforeEach
    void createBackendUnderTest() {
        backend = createBackend(time);
    }

    @AfterEach
    void closeBackendUnderTest() throws Exception {
        if (backend instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    /** A policy with a name of its own. */
    protected static Policy policy(Limit... limits) {
        return Policy.of("policy-" + POLICIES.incrementAndGet(), limits);
    }

    protected Decision acquire(Policy policy, long cost) {
        return acquire(policy, "alice", cost);
    }

    protected Decision acquire(Policy policy, String key, long cost) {
        return backend.acquire(policy, key, cost, Acquisition.Mode.SPEND);
    }

    /** How many of so many requests of cost 1 are admitted now. */
    protected long admitted(Policy policy, long arrivals) {
        long admitted = 0;
        for (long i = 0; i < arrivals; i++) {
            admitted += acquire(policy, 1).allowed() ? 1 : 0;
        }
        return admitted;
    }

    protected void atSeconds(double seconds) {
        time.set(EDGE + Math.round(seconds * 1_000_000));
    }

    /** Three per minute: see {@link #minute}. */
    protected static Limit three(Algorithm algorithm) {
        return minute(algorithm, 3);
    }

    /** A limit per minute whose capacity is the limit, for the leaky bucket without waiting. */
    protected static Limit minute(Algorithm algorithm, long permits) {
        Limit limit = Limit.ofMicros(algorithm, permits, 60 * SECOND);
        return algorithm == Algorithm.LEAKY_BUCKET
                ? limit.withBurst(permits - 1).withNodelay()
                : limit;
    }
}

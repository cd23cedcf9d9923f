package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.FailurePolicy;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Real servers that fail in all ways we know, while requests run. */
@Tag("long")
class RedisFailureTests {

    private static final int THREADS = 16;

    /** Far above the timeout, because the machine that runs this may be busy; the exact times are printed. */
    private static final double STUCK_MILLIS = 2_000;

    private static final Policy POLICY = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 50, 3_600_000_000L));

    private final RedisProcess server = RedisProcess.notStarted();

    private LettuceConnectionFactory factory;

    private RedisBackend backend;

    @AfterEach
    void close() {
        backend.close();
        factory.destroy();
        server.close();
    }

    @Test
    void absentBeforeTheFirstConnection() {
        connect(FailurePolicy.LOCAL);
        assertThat(backend.available()).isFalse();
        Load load = Load.on(backend, POLICY, THREADS);
        assertLimitIsEnforced("alice");
        awaitAsked(load, 500);
        server.start();
        assertUsedAgain("absent at start", load);
    }

    @Test
    void hangingBeforeTheFirstConnection() {
        server.start();
        server.freeze();
        connect(FailurePolicy.LOCAL);
        assertThat(backend.available()).isFalse();
        Load load = Load.on(backend, POLICY, THREADS);
        assertLimitIsEnforced("alice");
        awaitAsked(load, 500);
        server.thaw();
        assertUsedAgain("hanging at start", load);
    }

    @Test
    void killedAndStartedAgain() {
        start(FailurePolicy.LOCAL);
        Load load = Load.on(backend, POLICY, THREADS);
        awaitAsked(load, 500);
        server.kill();
        awaitLeftAlone();
        assertLimitIsEnforced("alice");
        awaitAsked(load, 2_000);
        server.start();
        assertUsedAgain("kill -9", load);
    }

    @Test
    void frozenForTenSeconds() {
        start(FailurePolicy.LOCAL);
        Load load = Load.on(backend, POLICY, THREADS);
        awaitAsked(load, 500);
        server.freeze();
        awaitLeftAlone();
        assertLimitIsEnforced("alice");
        Awaitility.await()
                .pollDelay(Duration.ofSeconds(10))
                .atMost(Duration.ofSeconds(20))
                .until(() -> true);
        server.thaw();
        assertUsedAgain("SIGSTOP 10 s", load);
    }

    @Test
    void denyAndAllowWhileFrozen() {
        start(FailurePolicy.DENY);
        server.freeze();
        awaitLeftAlone();
        Decision denied = acquire(POLICY, "alice");
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.counted()).isFalse();
        assertThat(denied.retryAfterMicros()).isEqualTo(Decision.NEVER);
        Policy lenient = new Policy("lenient", POLICY.limits(), FailurePolicy.ALLOW);
        assertThat(acquire(lenient, "alice").allowed()).isTrue();
        assertThat(acquire(lenient, "alice").counted()).isFalse();
        List<Decision> mixed =
                backend.acquireAll(List.of(Acquisition.of(POLICY, "alice", 1), Acquisition.of(lenient, "alice", 1)));
        assertThat(mixed).extracting(Decision::allowed).containsExactly(false, true);
        assertThat(mixed).extracting(Decision::counted).containsExactly(false, false);
        server.thaw();
        awaitUsed();
        assertThat(acquire(POLICY, "alice").counted()).isTrue();
    }

    @Test
    void aPortThatAcceptsAndNeverAnswers() throws IOException {
        ServerSocket silent = new ServerSocket();
        silent.setReuseAddress(true);
        silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 200);
        connect(FailurePolicy.LOCAL);
        Load load = Load.on(backend, POLICY, 100);
        assertLimitIsEnforced("alice");
        awaitAsked(load, 2_000);
        silent.close();
        server.start();
        assertUsedAgain("silent port", load);
    }

    @Test
    void scriptsThatWereFlushedAreLoadedAgain() {
        start(FailurePolicy.DENY);
        Load load = Load.on(backend, POLICY, THREADS);
        for (int i = 0; i < 20; i++) {
            awaitAsked(load, load.asked() + 50);
            server.ask(redis -> redis.scriptFlush());
        }
        assertLimitIsEnforced("alice");
        assertNobodyWasStuck("SCRIPT FLUSH", load);
    }

    @Test
    void everythingFlushed() {
        start(FailurePolicy.DENY);
        assertLimitIsEnforced("alice");
        server.ask(redis -> redis.flushall());
        assertThat(backend.peek(POLICY, "alice").remaining()).isEqualTo(50);
        assertLimitIsEnforced("bob");
    }

    @Test
    void memoryFull() {
        start(FailurePolicy.LOCAL);
        Load load = Load.on(backend, POLICY, THREADS);
        awaitAsked(load, 500);
        server.ask(redis -> redis.configSet("maxmemory", "1"));
        awaitLeftAlone();
        assertLimitIsEnforced("alice");
        server.ask(redis -> redis.configSet("maxmemory", "0"));
        assertUsedAgain("maxmemory", load);
    }

    @Test
    void aReplicaIsPromoted() {
        start(FailurePolicy.LOCAL);
        try (RedisProcess other = RedisProcess.started("--repl-diskless-sync-delay", "0")) {
            Load load = Load.on(backend, POLICY, THREADS);
            awaitAsked(load, 500);
            server.ask(redis -> redis.replicaof("127.0.0.1", other.port()));
            awaitLeftAlone();
            assertLimitIsEnforced("alice");
            server.ask(redis -> redis.replicaofNoOne());
            assertUsedAgain("replica promoted", load);
        }
    }

    private void start(FailurePolicy policy) {
        server.start();
        connect(policy);
        awaitUsed();
    }

    private void connect(FailurePolicy policy) {
        factory = server.lettuce();
        RedisSettings settings = RedisSettings.defaults().withOnFailure(policy);
        backend = new RedisBackend(factory, settings, SharedRedis.local(), null, RedisObserver.NONE);
    }

    private Decision acquire(Policy policy, String key) {
        return backend.acquire(policy, key, 1, Acquisition.Mode.SPEND);
    }

    private void assertLimitIsEnforced(String key) {
        long admitted = 0;
        for (int i = 0; i < 80; i++) {
            admitted += acquire(POLICY, key).allowed() ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(50);
    }

    private void awaitLeftAlone() {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
            acquire(POLICY, "watcher");
            return !backend.available();
        });
    }

    private void awaitUsed() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(backend::available);
    }

    private static void awaitAsked(Load load, int decisions) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.asked() >= decisions);
    }

    private void assertUsedAgain(String what, Load load) {
        long start = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(backend::available);
        System.out.printf("%s: used again after %d ms%n", what, (System.nanoTime() - start) / 1_000_000);
        assertThat(acquire(POLICY, "carol").counted()).isTrue();
        assertNobodyWasStuck(what, load);
    }

    private static void assertNobodyWasStuck(String what, Load load) {
        try (load) {
            Load.Times times = load.stop();
            System.out.println(what + ": " + times);
            assertThat(times.millis(100)).isLessThan(STUCK_MILLIS);
        }
    }
}

package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.impl.NoOpLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The connection in use, without a server: nothing connects but what a test hands over. */
class RedisLinkTests {

    private static final int ROUNDS = 50_000;

    private final Recorder recorder = new Recorder();

    private final OutageLog log = new OutageLog(recorder, "cache:6379", RedisSettings.defaults());

    private final RedisLink link = new RedisLink(new Unreachable(), new byte[0], RedisObserver.NONE, log);

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    void noConnectionStaysOpenThatIsMadeDuringAPause() throws Exception {
        AtomicInteger met = new AtomicInteger();
        int open = 0;
        Connection[] fresh = new Connection[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            fresh[i] = new Connection();
        }
        CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                meet(met, 4 * i + 2);
                if (!link.adopt(fresh[i])) {
                    fresh[i].close();
                }
                meet(met, 4 * i + 4);
            }
        });
        for (int i = 0; i < ROUNDS; i++) {
            link.resume();
            meet(met, 4 * i + 2);
            link.pause();
            meet(met, 4 * i + 4);
            open += fresh[i].closed ? 0 : 1;
        }
        connecting.get();
        assertThat(open).isZero();
        assertThat(link.connection()).isNull();
    }

    /** Lettuce warns of connections that are closing when its client is shut down, which is next. */
    @Test
    void whoClosesOrPausesWaitsUntilTheConnectionIsClosed() {
        for (Runnable end : List.<Runnable>of(link::pause, link::close)) {
            link.resume();
            Connection connection = new Connection();
            link.adopt(connection);
            end.run();
            assertThat(connection.awaited).isTrue();
        }
    }

    @Test
    void afterATimeoutThatOpenedNothingRedisDecidesAgain() {
        Connection connection = new Connection();
        link.adopt(connection);
        link.failed(connection, new TimeoutException());
        log.undecided(new TimeoutException());
        link.succeeded(connection);
        link.succeeded(connection);
        assertThat(recorder.lines).containsExactly("decides again");
    }

    @Test
    void aLateAnswerOnAConnectionThatWasGivenUpSaysNothing() {
        Connection connection = new Connection();
        link.adopt(connection);
        for (int i = 0; i < RedisLink.FAILURES_TO_OPEN; i++) {
            link.failed(connection, new TimeoutException());
        }
        log.undecided(new TimeoutException());
        link.succeeded(connection);
        assertThat(recorder.lines).isEmpty();
        link.adopt(new Connection());
        assertThat(recorder.lines).containsExactly("decides again");
    }

    /** Both spin until both have come, so that neither is late by the time it takes to wake up. */
    private static void meet(AtomicInteger met, int all) {
        met.incrementAndGet();
        for (int spins = 1; met.get() < all; spins++) {
            if (spins % 1_000 == 0) {
                Thread.yield();
            }
        }
    }

    private static final class Unreachable implements ScriptConnector {

        @Override
        public ScriptConnection connect() {
            throw new IllegalStateException("unreachable");
        }

        @Override
        public boolean clustered() {
            return false;
        }

        @Override
        public String servers() {
            return "cache:6379";
        }
    }

    private static final class Connection extends StubConnection {

        private volatile boolean closed;

        private volatile boolean awaited;

        @Override
        public Future<?> close() {
            closed = true;
            return new CompletableFuture<Void>() {
                @Override
                public Void get(long timeout, TimeUnit unit) throws TimeoutException {
                    awaited = true;
                    throw new TimeoutException("still closing");
                }
            };
        }
    }

    private static final class Recorder extends NoOpLog implements Log {

        private static final long serialVersionUID = 1L;

        private final transient List<String> lines = new ArrayList<>();

        @Override
        public void info(Object message) {
            lines.add(message.toString().replaceFirst(".*\\) ", ""));
        }
    }
}

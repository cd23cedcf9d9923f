package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which commands are sent, and what stands in them. */
class RedisCommandTests {

    private static final long HOUR = 3_600_000_000L;

    @Test
    void oneEvalshaForEachDecisionAndNoneForARefusedKey() {
        try (RedisProcess server = RedisProcess.started()) {
            LettuceConnectionFactory factory = server.lettuce();
            RedisSettings settings = RedisSettings.defaults()
                    .withTimeout(SharedRedis.settings().timeout())
                    .withDenyCache(new RedisSettings.DenyCacheSettings(true, java.time.Duration.ofMinutes(1), 1_000));
            try (RedisBackend backend = SharedRedis.usable(
                    new RedisBackend(factory, settings, SharedRedis.local(), null, RedisObserver.NONE))) {
                Policy policy = Policy.of(
                        "p",
                        Limit.ofMicros(Algorithm.SLIDING_COUNTER, 100, HOUR),
                        Limit.ofMicros(Algorithm.SLIDING_LOG, 10, HOUR));
                backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
                server.ask(redis -> redis.configResetstat());
                for (int i = 0; i < 100; i++) {
                    backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
                }
                String stats = server.ask(redis -> redis.info("commandstats"));
                assertThat(calls(stats, "evalsha")).isEqualTo(10);
                assertThat(calls(stats, "eval")).isZero();
                assertThat(calls(stats, "set")).isEqualTo(9);
                assertThat(calls(stats, "rpush")).isEqualTo(9);
                backend.acquireAll(List.of(Acquisition.of(policy, "a", 1), Acquisition.of(policy, "b", 1)));
                server.ask(redis -> redis.configResetstat());
                backend.acquireAll(List.of(Acquisition.of(policy, "a", 1), Acquisition.of(policy, "b", 1)));
                assertThat(calls(server.ask(redis -> redis.info("commandstats")), "evalsha"))
                        .isEqualTo(1);
            } finally {
                factory.destroy();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theClockOfThisNodeIsNotAmongTheArguments(Algorithm algorithm) {
        Recorder recorder = new Recorder();
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 100, HOUR));
        try (RedisBackend backend = backend(recorder, null)) {
            Decision decision = backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
            backend.peek(policy, "k");
            backend.acquireAll(List.of(Acquisition.of(policy, "a", 1), Acquisition.of(policy, "b", 2)));
            assertThat(decision.counted()).isTrue();
        }
        byte[] parameters = new BucketLayout(policy).parameters();
        assertThat(recorder.arguments)
                .containsExactly(
                        List.of(),
                        List.of("1", text(parameters)),
                        List.of("1", text(parameters), "2", text(parameters)));
    }

    @Test
    void theUsersClockIsTheLastArgument() {
        Recorder recorder = new Recorder();
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 100, HOUR));
        try (RedisBackend backend = backend(recorder, () -> 12_345)) {
            backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
        }
        assertThat(recorder.arguments.get(0)).containsExactly("1", "12345");
    }

    private static RedisBackend backend(Recorder recorder, TimeSource timeSource) {
        RedisBackend backend =
                new RedisBackend(recorder, SharedRedis.settings(), SharedRedis.local(), timeSource, RedisObserver.NONE);
        recorder.arguments.clear();
        return backend;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static int calls(String stats, String command) {
        Matcher matcher =
                Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Answers everything with zeros, and remembers what was asked. */
    private static final class Recorder extends StubConnection implements ScriptConnector {

        private final List<List<String>> arguments = new ArrayList<>();

        @Override
        public ScriptConnection connect() {
            return this;
        }

        @Override
        public String servers() {
            return "recorder";
        }

        @Override
        public boolean clustered() {
            return false;
        }

        @Override
        public Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... values) {
            arguments.add(
                    java.util.Arrays.stream(values).map(RedisCommandTests::text).toList());
            return CompletableFuture.completedFuture(new byte[200]);
        }
    }
}

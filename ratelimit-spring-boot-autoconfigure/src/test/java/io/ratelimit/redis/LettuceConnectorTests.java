package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class LettuceConnectorTests {

    private static final Script SCRIPT = Script.of("return KEYS[1] .. ARGV[1]");

    private static final byte[][] KEY = {bytes("key")};

    private final AtomicInteger timers = new AtomicInteger();

    private final ClientResources resources = ClientResources.builder()
            .timer(new HashedWheelTimer() {
                @Override
                public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                    timers.incrementAndGet();
                    return super.newTimeout(task, delay, unit);
                }
            })
            .build();

    private final RedisProcess server = RedisProcess.started();

    private final LettuceConnectionFactory factory = new LettuceConnectionFactory(
            new RedisStandaloneConfiguration("127.0.0.1", server.port()),
            LettuceClientConfiguration.builder()
                    .clientResources(resources)
                    .commandTimeout(Duration.ofSeconds(2))
                    .build());

    @AfterEach
    void close() {
        factory.destroy();
        resources.shutdown(0, 0, TimeUnit.SECONDS);
        server.close();
    }

    @Test
    void scriptsStartNoTimerOfTheClient() throws Exception {
        ScriptConnection connection = connect();
        timers.set(0);
        assertThat(connection.eval(SCRIPT, KEY, bytes("1")).get()).isEqualTo(bytes("key1"));
        assertThat(connection.evalSha(SCRIPT, KEY, bytes("2")).get()).isEqualTo(bytes("key2"));
        assertThat(timers).hasValue(0);
    }

    @Test
    void deletingEndsAfterTheTimeoutOfTheClient() {
        ScriptConnection connection = connect();
        server.freeze();
        assertThatExceptionOfType(RedisCommandTimeoutException.class)
                .isThrownBy(() -> connection.deleteMatching(bytes("*")))
                .withMessageContaining("2 second");
    }

    private ScriptConnection connect() {
        factory.afterPropertiesSet();
        factory.start();
        return new LettuceConnector(factory).connect();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

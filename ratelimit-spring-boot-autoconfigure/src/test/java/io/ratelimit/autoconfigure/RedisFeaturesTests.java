package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.RateLimiter;
import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisProcess;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class RedisFeaturesTests extends BackendFeaturesContract {

    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.started();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    String[] backend() {
        return new String[] {
            "ratelimit.backend=redis",
            "ratelimit.redis.timeout=30s",
            "ratelimit.redis.on-failure=deny",
            "spring.data.redis.port=" + redis.port()
        };
    }

    @Test
    void stopsAndStartsWithTheApplicationContext() {
        runner().withPropertyValues(backend()).run(context -> {
            RedisBackend backend = context.getBean(RedisBackend.class);
            awaitAvailable(backend);
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).stop();
            assertThat(backend.available()).isFalse();
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).start();
            awaitAvailable(backend);
            context.getBean(RateLimiter.class).reset();
            assertThat(acquire(context.getBean(RateLimiter.class))).isTrue();
        });
    }

    @Test
    void readsFromTheMasterWhateverIsPreferred() {
        try (RedisProcess replica = RedisProcess.started("--replicaof", "127.0.0.1", "" + redis.port())) {
            runner().withPropertyValues(backend())
                    .withPropertyValues("spring.data.redis.lettuce.read-from=replica-preferred")
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        limiter.reset();
                        awaitAvailable(context.getBean(RedisBackend.class));
                        for (int i = 0; i < 7; i++) {
                            assertThat(acquire(limiter)).isEqualTo(i < 5);
                        }
                    });
        }
    }

    @Test
    void closingWhileRedisCannotBeReachedWritesNoErrors(CapturedOutput output) {
        RedisProcess absent = RedisProcess.notStarted();
        runner().withPropertyValues("ratelimit.backend=redis", "spring.data.redis.port=" + absent.port())
                .run(context -> assertThat(context.getBean(RedisBackend.class).available())
                        .isFalse());
        assertThat(output).doesNotContain("ERROR");
        assertThat(output).containsOnlyOnce("limits are shared in Redis (");
        assertThat(output).contains(":%d), prefix ratelimit:".formatted(absent.port()));
    }

    private static boolean acquire(RateLimiter limiter) {
        return limiter.acquire("api", "k", 1).allowed();
    }

    private static void awaitAvailable(RedisBackend backend) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(backend::available);
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedisOfThisLine.autoConfiguration(),
                        RateLimitRedisAutoConfiguration.class,
                        RateLimitAutoConfiguration.class))
                .withPropertyValues("ratelimit.policies.api.limit=5", "ratelimit.policies.api.window=1h");
    }
}

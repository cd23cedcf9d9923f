package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ratelimit.actuate.RateLimitEndpoint;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.enforcement.PolicyResolver;
import io.ratelimit.memory.MemoryBackend;
import io.ratelimit.redis.RedisBackend;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The limiter in an application without a web server. */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RateLimitAspectAutoConfiguration.class,
                    RateLimitAutoConfiguration.class,
                    RateLimitDisabledAutoConfiguration.class,
                    RateLimitEndpointAutoConfiguration.class,
                    RateLimitMetricsAutoConfiguration.class,
                    RateLimitRedisAutoConfiguration.class,
                    RateLimitWebAutoConfiguration.class));

    @Test
    void countsInMemoryByDefault(CapturedOutput output) {
        runner.run(context -> {
            assertThat(context).hasSingleBean(Backend.class).hasSingleBean(MemoryBackend.class);
            assertThat(context).getBean(RateLimiter.class).isInstanceOf(PolicyRateLimiter.class);
            assertThat(output).containsOnlyOnce("limits are counted in this node's memory, at most 1000000 keys");
            assertThat(context).hasSingleBean(DefaultTimeSource.class);
        });
    }

    @Test
    void nothingIsLimitedWhenDisabledButTheLimiterCanBeInjected() {
        runner.withUserConfiguration(Calls.class)
                .withPropertyValues(
                        "ratelimit.enabled=false",
                        "ratelimit.backend=redis",
                        "ratelimit.policies.login.limit=0",
                        "ratelimit.policies.login.window=1m")
                .run(context -> {
                    assertThat(context.getBeanDefinitionNames())
                            .filteredOn(name -> name.startsWith("rateLimit") && !name.contains("Tests"))
                            .containsExactlyInAnyOrder("rateLimiter", "rateLimitTimeSource", "rateLimitStrictBinding");
                    Decision decision = context.getBean(RateLimiter.class).acquire("login", "alice", 1);
                    assertThat(decision.allowed()).isTrue();
                    assertThat(decision.counted()).isFalse();
                    assertThat(context.getBean(Calls.Catalog.class).search()).isEqualTo("found");
                    assertThat(context.getBean(Calls.Catalog.class).search()).isEqualTo("found");
                });
    }

    @Test
    void timeSourceOfTheApplicationReplacesOurs() {
        runner.withUserConfiguration(Time.class)
                .withPropertyValues("ratelimit.policies.login.limit=1", "ratelimit.policies.login.window=1m")
                .run(context -> {
                    assertThat(context).hasSingleBean(TimeSource.class);
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    assertThat(limiter.acquire("login", "alice", 1).atMicros()).isEqualTo(7);
                    assertThat(limiter.acquire("login", "alice", 1).retryAfterMicros())
                            .isEqualTo(60_000_000);
                    context.getBean(ManualTimeSource.class).advance(Duration.ofMinutes(1));
                    assertThat(limiter.acquire("login", "alice", 1).allowed()).isTrue();
                });
    }

    @Test
    void backendOfTheApplicationReplacesOurs() {
        Backend backend = Mockito.mock(Backend.class);
        runner.withBean(Backend.class, () -> backend)
                .run(context -> assertThat(context).getBean(Backend.class).isSameAs(backend));
    }

    @Test
    void limiterOfTheApplicationReplacesOurs() {
        RateLimiter limiter = Mockito.mock(RateLimiter.class);
        runner.withBean(RateLimiter.class, () -> limiter)
                .run(context -> assertThat(context).getBean(RateLimiter.class).isSameAs(limiter));
    }

    @Test
    void policyResolverOfTheApplicationIsAsked() {
        Policy gold = Policy.of("gold", Limit.of(Algorithm.SLIDING_LOG, 9, Duration.ofHours(1)));
        runner.withBean(PolicyResolver.class, () -> name -> Optional.of(gold).filter(p -> name.equals("gold")))
                .run(context -> {
                    assertThat(context.getBean(RateLimiter.class).policy("gold"))
                            .isEqualTo(gold);
                    assertThatExceptionOfType(IllegalArgumentException.class)
                            .isThrownBy(() -> context.getBean(RateLimiter.class).policy("silver"))
                            .withMessage("there is no policy 'silver'; add ratelimit.policies.silver");
                });
    }

    @Test
    void policyOfSeveralLimitsIsReadInItsOrder() {
        runner.withPropertyValues(
                        "ratelimit.policies.api.limits[0].limit=100",
                        "ratelimit.policies.api.limits[0].window=1m",
                        "ratelimit.policies.api.limits[0].algorithm=sliding-counter",
                        "ratelimit.policies.api.limits[1].limit=10",
                        "ratelimit.policies.api.limits[1].window=PT1S")
                .run(context -> assertThat(context.getBean(RateLimiter.class).policy("api"))
                        .isEqualTo(Policy.of(
                                "api",
                                Limit.of(Algorithm.SLIDING_COUNTER, 100, Duration.ofMinutes(1)),
                                Limit.of(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(1)))));
    }

    @Test
    void annotatedMethodsAreLimited() {
        runner.withUserConfiguration(Calls.class).run(context -> {
            Calls.Catalog catalog = context.getBean(Calls.Catalog.class);
            assertThat(catalog.search()).isEqualTo("found");
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(catalog::search);
        });
    }

    @Test
    void nothingIsRefusedInShadow() {
        runner.withUserConfiguration(Calls.class)
                .withPropertyValues("ratelimit.shadow=true")
                .run(context -> {
                    Calls.Catalog catalog = context.getBean(Calls.Catalog.class);
                    assertThat(catalog.search()).isEqualTo("found");
                    assertThat(catalog.search()).isEqualTo("found");
                });
    }

    @Test
    void redisCountsWhereTheApplicationHasIt() {
        runner.withUserConfiguration(UnreachableRedis.class)
                .withPropertyValues(
                        "ratelimit.backend=redis",
                        "ratelimit.policies.login.limit=1",
                        "ratelimit.policies.login.window=1h")
                .run(context -> {
                    assertThat(context).getBeanNames(RedisBackend.class).containsExactly("rateLimitRedisBackend");
                    assertThat(context).getBeanNames(MemoryBackend.class).containsExactly("rateLimitLocalBackend");
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    assertThat(limiter.acquire("login", "alice", 1).allowed()).isTrue();
                    assertThat(limiter.acquire("login", "alice", 1).allowed()).isFalse();
                });
    }

    @Test
    void redisOfTheApplicationIsNotUsedUnlessWanted() {
        runner.withUserConfiguration(UnreachableRedis.class)
                .run(context -> assertThat(context).getBean(Backend.class).isInstanceOf(MemoryBackend.class));
    }

    @Test
    void optionalLibrariesMayBeMissing() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.data.redis",
                        "io.micrometer",
                        "org.springframework.boot.actuate",
                        "org.springframework.web",
                        "jakarta.servlet",
                        "org.springframework.security",
                        "reactor"))
                .run(context -> {
                    assertThat(context).hasSingleBean(MemoryBackend.class).hasSingleBean(RateLimiter.class);
                    assertThat(context).doesNotHaveBean(RateLimitEndpoint.class);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Time {

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource(7);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnreachableRedis {

        @Bean
        RedisConnectionFactory redisConnectionFactory() {
            return new LettuceConnectionFactory("127.0.0.1", 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Calls {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 1, window = "1h")
            String search() {
                return "found";
            }
        }
    }
}

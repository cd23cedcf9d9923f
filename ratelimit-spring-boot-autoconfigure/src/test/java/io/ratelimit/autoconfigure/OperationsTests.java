package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ratelimit.actuate.LimitReport;
import io.ratelimit.actuate.OccupancyMetrics;
import io.ratelimit.actuate.RateLimitEndpoint;
import io.ratelimit.actuate.RateLimitExceededEvent;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.core.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** What operators see and change: meters, the endpoint, events. */
class OperationsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RateLimitAspectAutoConfiguration.class,
                    RateLimitAutoConfiguration.class,
                    RateLimitEndpointAutoConfiguration.class,
                    RateLimitMetricsAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=ratelimit",
                    "ratelimit.policies.login.limit=2",
                    "ratelimit.policies.login.window=1m");

    @Test
    void decisionsAreCountedByNameAndOutcome() {
        runner.run(context -> {
            callThreeTimes(context.getBean(Application.Catalog.class));
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(decisions(meters, "search", "allowed")).isEqualTo(2);
            assertThat(decisions(meters, "search", "rejected")).isEqualTo(1);
            assertThat(decisions(meters, "search", "shadow_rejected")).isZero();
            assertThat(meters.get("ratelimit.near.limit")
                            .tag("name", "search")
                            .counter()
                            .count())
                    .isEqualTo(1);
            context.getBean(OccupancyMetrics.class).bindTo(meters);
            assertThat(meters.get("ratelimit.memory.keys").gauge().value()).isEqualTo(1);
            assertThat(meters.get("ratelimit.waiting").gauge().value()).isZero();
        });
    }

    @Test
    void metersExistFromTheStartAndDoNotGrowWithTheKeys() {
        runner.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            int before = meters.getMeters().size();
            assertThat(decisions(meters, "search", "rejected")).isZero();
            for (int i = 0; i < 10_000; i++) {
                context.getBean(Application.Catalog.class).search("user" + i);
            }
            assertThat(meters.getMeters()).hasSize(before);
        });
    }

    @Test
    void nearLimitThatIsNoPercentageStopsTheApplication() {
        runner.withPropertyValues("ratelimit.metrics.near-limit=101").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage("ratelimit.metrics: near-limit 101 is no percentage; use a number from 1 to 100"));
    }

    @Test
    void refusalIsAnEvent() {
        runner.run(context -> {
            callThreeTimes(context.getBean(Application.Catalog.class));
            List<RateLimitExceededEvent> events = context.getBean(Application.class).events;
            assertThat(events).hasSize(1);
            assertThat(events.get(0).name()).isEqualTo("search");
            assertThat(events.get(0).subject()).isEqualTo("method Catalog.search");
            assertThat(events.get(0).key()).isEqualTo("alice");
            assertThat(events.get(0).decision().retryAfterMicros()).isEqualTo(30_000_000);
        });
    }

    @Test
    void endpointShowsAndForgetsAKey() {
        runner.run(context -> {
            callThreeTimes(context.getBean(Application.Catalog.class));
            assertThat(endpoint(context).state("search", "alice")).isEqualTo(state(false, 0, 30_000_000, 30_000_000));
            assertThat(endpoint(context).reset("search", "alice")).isEqualTo(state(true, 2, 0, 0));
            assertThat(endpoint(context).state("unknown", "alice")).isNull();
        });
    }

    @Test
    void changedLimitOfAMethodTakesEffectAndKeepsCounts() {
        runner.run(context -> {
            callThreeTimes(context.getBean(Application.Catalog.class));
            assertThat(endpoint(context).change("search", 5, null, null).limits())
                    .containsExactly("5 per 1m (TOKEN_BUCKET)");
            assertThat(endpoint(context).state("search", "alice").limits())
                    .extracting(LimitReport.Status::remaining)
                    .containsExactly(3L);
            assertThat(context.getBean(Application.Catalog.class).search("alice"))
                    .isEqualTo("found");
        });
    }

    @Test
    void changedLimitOfAPolicyTakesEffectAndKeepsCounts() {
        runner.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.acquire("login", "alice", 2);
            assertThat(endpoint(context).change("login", 3, null, 0).limits())
                    .containsExactly("3 per 1m (TOKEN_BUCKET)");
            assertThat(limiter.acquire("login", "alice", 1).remaining()).isZero();
        });
    }

    @Test
    void endpointIsAbsentUnlessExposed() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(RateLimitEndpoint.class));
    }

    private static void callThreeTimes(Application.Catalog catalog) {
        catalog.search("alice");
        catalog.search("alice");
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> catalog.search("alice"));
    }

    private static LimitReport.State state(boolean allowed, long remaining, long retryAfter, long resetAfter) {
        LimitReport.Status status =
                new LimitReport.Status("2 per 1m (TOKEN_BUCKET)", remaining, retryAfter, resetAfter);
        return new LimitReport.State("search", "alice", allowed, List.of(status));
    }

    private static RateLimitEndpoint endpoint(ApplicationContext context) {
        return context.getBean(RateLimitEndpoint.class);
    }

    private static double decisions(MeterRegistry meters, String name, String outcome) {
        return meters.get("ratelimit.decisions")
                .tag("name", name)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        private final List<RateLimitExceededEvent> events = new ArrayList<>();

        @EventListener
        void refused(RateLimitExceededEvent event) {
            events.add(event);
        }

        @Bean
        ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 2, window = "1m", name = "search", key = "#user")
            String search(String user) {
                return "found";
            }
        }
    }
}

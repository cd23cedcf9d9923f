package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.FailurePolicy;
import io.ratelimit.enforcement.MissingKey;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.web.ClientAddress.ForwardingHeader;
import io.ratelimit.web.HeaderDialect;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Binding of {@code ratelimit.*}: every default, every key, and keys that do not exist. */
class RateLimitPropertiesTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Properties.class);

    @Test
    void defaultsAreTheDocumentedOnes() {
        runner.run(context -> {
            RateLimitProperties properties = context.getBean(RateLimitProperties.class);
            assertThat(properties)
                    .isEqualTo(new RateLimitProperties(
                            true,
                            RateLimitProperties.BackendType.MEMORY,
                            "principal?.name ?: ip",
                            MissingKey.CLIENT_IP,
                            1000,
                            false,
                            Map.of(),
                            List.of(),
                            new RateLimitProperties.Web(List.of(HeaderDialect.IETF)),
                            new RateLimitProperties.Aspect(Integer.MIN_VALUE),
                            new RateLimitProperties.ClientIp(List.of(), ForwardingHeader.X_FORWARDED_FOR, 64),
                            new RateLimitProperties.Memory(1_000_000),
                            new RateLimitProperties.Redis(
                                    "ratelimit:",
                                    Duration.ofMillis(100),
                                    FailurePolicy.LOCAL,
                                    new RateLimitProperties.Redis.DenyCache(true, Duration.ofSeconds(1), 100_000)),
                            new RateLimitProperties.Metrics(80),
                            new RateLimitProperties.Endpoint(4096, false),
                            new RateLimitProperties.Events(Duration.ZERO)));
        });
    }

    @Test
    void yamlBindsEveryKey() {
        runner.withInitializer(context ->
                        context.getEnvironment().getPropertySources().addFirst(StartupFailure.yaml(EVERY_KEY)))
                .run(context -> assertThat(context.getBean(RateLimitProperties.class))
                        .isEqualTo(new RateLimitProperties(
                                false,
                                RateLimitProperties.BackendType.REDIS,
                                "ip",
                                MissingKey.DENY,
                                7,
                                true,
                                Map.of("api", API, "login", LOGIN),
                                List.of(BY_POLICY, INLINE),
                                new RateLimitProperties.Web(List.of(HeaderDialect.X_RATELIMIT, HeaderDialect.DRAFT_03)),
                                new RateLimitProperties.Aspect(17),
                                new RateLimitProperties.ClientIp(
                                        List.of("10.0.0.0/8", "::1"), ForwardingHeader.FORWARDED, 56),
                                new RateLimitProperties.Memory(5000),
                                new RateLimitProperties.Redis(
                                        "shop:",
                                        Duration.ofMillis(50),
                                        FailurePolicy.DENY,
                                        new RateLimitProperties.Redis.DenyCache(false, Duration.ofMillis(200), 10)),
                                new RateLimitProperties.Metrics(90),
                                new RateLimitProperties.Endpoint(100, true),
                                new RateLimitProperties.Events(Duration.ofSeconds(30)))));
    }

    @Test
    void misspelledKeyStopsTheApplication() {
        runner.withPropertyValues("ratelimit.polices.api.limit=5").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("[ratelimit.polices.api.limit]"));
    }

    @Test
    void misspelledKeyWithinARuleStopsTheApplication() {
        runner.withPropertyValues("ratelimit.rules[0].name=api", "ratelimit.rules[0].windw=1m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("[ratelimit.rules[0].windw]"));
    }

    private static final PolicyProperties API = new PolicyProperties(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(
                    new LimitProperties(number(100), "1m", Algorithm.SLIDING_COUNTER, null, null, null, null),
                    new LimitProperties(number(10), "PT1S", Algorithm.LEAKY_BUCKET, number(20), number(3), true, "2s")),
            null,
            FailurePolicy.ALLOW);

    private static final PolicyProperties LOGIN = new PolicyProperties(
            number(5), "15m", Algorithm.SLIDING_LOG, null, null, null, null, List.of(), "status == 401", null);

    private static final RuleProperties BY_POLICY = new RuleProperties(
            "api",
            List.of("/api/**"),
            List.of("/api/health", "/api/info"),
            List.of("GET", "POST"),
            "api",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            "principal?.name",
            "path.length()",
            "method == 'GET'",
            "status == 200",
            true,
            Phase.BEFORE_SECURITY);

    private static final RuleProperties INLINE = new RuleProperties(
            "slow",
            List.of("/slow"),
            List.of(),
            List.of(),
            null,
            number(1),
            "1s",
            Algorithm.LEAKY_BUCKET,
            number(5),
            number(1),
            true,
            "3s",
            null,
            "1",
            null,
            null,
            false,
            null);

    private static BigDecimal number(long value) {
        return BigDecimal.valueOf(value);
    }

    private static final String EVERY_KEY =
            """
            ratelimit:
              enabled: false
              backend: redis
              default-key: ip
              missing-key: deny
              max-waiting: 7
              shadow: true
              policies:
                api:
                  on-failure: allow
                  limits:
                    - { limit: 100, window: 1m, algorithm: sliding-counter }
                    - limit: 10
                      window: PT1S
                      algorithm: leaky-bucket
                      burst: 20
                      delay: 3
                      nodelay: true
                      max-delay: 2s
                login: { limit: 5, window: 15m, algorithm: sliding-log, count-when: "status == 401" }
              rules:
                - name: api
                  paths: /api/**
                  exclude: [ /api/health, /api/info ]
                  methods: [ GET, POST ]
                  policy: api
                  key: "principal?.name"
                  cost: "path.length()"
                  condition: "method == 'GET'"
                  count-when: "status == 200"
                  shadow: true
                  phase: before-security
                - name: slow
                  paths: [ /slow ]
                  limit: 1
                  window: 1s
                  algorithm: leaky_bucket
                  burst: 5
                  delay: 1
                  nodelay: true
                  max-delay: 3s
              web:
                headers: [ x-ratelimit, draft-03 ]
              aspect:
                order: 17
              client-ip:
                trusted-proxies: [ 10.0.0.0/8, "::1" ]
                header: forwarded
                ipv6-prefix: 56
              memory:
                max-keys: 5000
              redis:
                key-prefix: "shop:"
                timeout: 50ms
                on-failure: deny
                deny-cache:
                  enabled: false
                  max-age: 200ms
                  max-entries: 10
              metrics:
                near-limit: 90
              endpoint:
                refusals: 100
                show-keys: true
              events:
                interval: 30s
            """;

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(RateLimitProperties.class)
    static class Properties {}
}

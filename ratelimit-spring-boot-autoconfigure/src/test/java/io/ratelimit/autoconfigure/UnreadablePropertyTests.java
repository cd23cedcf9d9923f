package io.ratelimit.autoconfigure;

import static io.ratelimit.autoconfigure.StartupFailure.assertFailure;

import org.junit.jupiter.api.Test;

/** What a user reads when a value under {@code ratelimit} cannot be bound: the whole message, word by word. */
class UnreadablePropertyTests {

    @Test
    void unknownAlgorithmOfARule() {
        assertFailure(
                """
                ratelimit:
                  rules:
                    - { name: api, paths: /api/**, limit: 5, window: 1m, algorithm: sliding-windw }
                """,
                "Rule 'api': algorithm 'sliding-windw' is unknown ([application.yml] - 3:69).",
                "Use one of fixed-window, sliding-log, sliding-counter, token-bucket, leaky-bucket.");
    }

    @Test
    void unknownAlgorithmOfAPolicy() {
        assertFailure(
                "ratelimit: { policies: { login: { limit: 5, window: 1m, algorithm: none } } }",
                "Policy 'login': algorithm 'none' is unknown ([application.yml] - 1:68).",
                "Use one of fixed-window, sliding-log, sliding-counter, token-bucket, leaky-bucket.");
    }

    @Test
    void unknownAlgorithmInAListOfLimits() {
        assertFailure(
                """
                ratelimit:
                  policies:
                    login:
                      limits:
                        - { limit: 5, window: 1m, algorithm: leaky }
                """,
                "Policy 'login': limits[0].algorithm 'leaky' is unknown ([application.yml] - 5:46).",
                "Use one of fixed-window, sliding-log, sliding-counter, token-bucket, leaky-bucket.");
    }

    @Test
    void limitThatIsNoNumber() {
        assertFailure(
                "ratelimit: { policies: { login: { limit: five, window: 1m } } }",
                "Policy 'login': limit 'five' is not a whole number ([application.yml] - 1:42).",
                "Use digits only.");
    }

    @Test
    void limitOfARuleWithoutAName() {
        assertFailure(
                "ratelimit: { rules: [ { paths: /, limit: many, window: 1m } ] }",
                "ratelimit.rules[0].limit 'many' is not a whole number ([application.yml] - 1:42).",
                "Use digits only.");
    }

    @Test
    void unknownBackend() {
        assertFailure(
                "ratelimit: { backend: mongo }",
                "ratelimit.backend 'mongo' is unknown ([application.yml] - 1:23).",
                "Use one of memory, redis.");
    }

    @Test
    void unknownMissingKey() {
        assertFailure(
                "ratelimit: { missing-key: ignore }",
                "ratelimit.missing-key 'ignore' is unknown ([application.yml] - 1:27).",
                "Use one of client-ip, deny, skip.");
    }

    @Test
    void unknownPhase() {
        assertFailure(
                "ratelimit: { rules: [ { name: api, phase: later } ] }",
                "Rule 'api': phase 'later' is unknown ([application.yml] - 1:43).",
                "Use one of before-security, after-security.");
    }

    @Test
    void unknownHeaderDialect() {
        assertFailure(
                "ratelimit: { web: { headers: [ ietf, github ] } }",
                "ratelimit.web.headers[1] 'github' is unknown ([application.yml] - 1:38).",
                "Use one of ietf, x-ratelimit, draft-03, none.");
    }

    @Test
    void unknownFailurePolicy() {
        assertFailure(
                "ratelimit: { redis: { on-failure: open } }",
                "ratelimit.redis.on-failure 'open' is unknown ([application.yml] - 1:35).",
                "Use one of local, allow, deny.");
    }

    @Test
    void timeoutThatIsNoDuration() {
        assertFailure(
                "ratelimit: { redis: { timeout: 100x } }",
                "ratelimit.redis.timeout '100x' is not a duration ([application.yml] - 1:32).",
                "Use 100ms or PT0.1S.");
    }

    @Test
    void switchThatIsNoBoolean() {
        assertFailure(
                "ratelimit: { shadow: maybe }",
                "ratelimit.shadow 'maybe' is neither true nor false ([application.yml] - 1:22).",
                "Use true or false.");
    }

    @Test
    void maxKeysThatIsNoNumber() {
        assertFailure(
                "ratelimit: { memory: { max-keys: many } }",
                "ratelimit.memory.max-keys 'many' is not a whole number ([application.yml] - 1:34).",
                "Use digits only.");
    }

    @Test
    void misspelledKey() {
        assertFailure(
                "ratelimit: { redis: { patience: 100ms } }",
                "ratelimit.redis.patience does not exist ([application.yml] - 1:33).",
                "Use one of key-prefix, timeout, on-failure, deny-cache.");
    }

    @Test
    void misspelledKeyOfARule() {
        assertFailure(
                "ratelimit: { rules: [ { name: api, path: /api, limit: 1, window: 1s } ] }",
                "ratelimit.rules[0].path does not exist ([application.yml] - 1:42).",
                "Use one of name, paths, exclude, methods, policy, limit, window, algorithm, burst, delay, nodelay, "
                        + "max-delay, key, cost, condition, count-when, shadow, phase.");
    }

    @Test
    void misspelledKeyOfALimit() {
        assertFailure(
                "ratelimit: { policies: { api: { limits: [ { limit: 1, per: 1s } ] } } }",
                "ratelimit.policies.api.limits[0].per does not exist ([application.yml] - 1:60).",
                "Use one of limit, window, algorithm, burst, delay, nodelay, max-delay.");
    }

    @Test
    void rulesWrittenAsAMap() {
        assertFailure(
                "ratelimit: { rules: { api: { limit: 1 } } }",
                "ratelimit.rules.api.limit does not exist ([application.yml] - 1:37).",
                "rules is a list: write `- name: api`.");
    }

    @Test
    void limitsWrittenAsAMap() {
        assertFailure(
                "ratelimit: { policies: { api: { limits: { limit: 1 } } } }",
                "ratelimit.policies.api.limits.limit does not exist ([application.yml] - 1:50).",
                "limits is a list: write `- limit`.");
    }
}

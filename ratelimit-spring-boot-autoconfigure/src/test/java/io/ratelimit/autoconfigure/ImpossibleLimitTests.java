package io.ratelimit.autoconfigure;

import static io.ratelimit.autoconfigure.StartupFailure.assertFailure;

import org.junit.jupiter.api.Test;

/** What a user reads when a policy or a rule cannot work: the whole message, word by word. */
class ImpossibleLimitTests {

    private static final String RULE = "ratelimit: { rules: [ { name: api, paths: /api/**, %s } ] }";

    private static final String POLICY = "ratelimit: { policies: { login: { %s } } }";

    @Test
    void unreadableWindow() {
        assertFailure(
                POLICY.formatted("limit: 5, window: 15x"),
                "Policy 'login': window '15x' is not a duration.",
                "Use 15m or PT15M.");
    }

    @Test
    void windowOfZero() {
        assertFailure(
                RULE.formatted("limit: 5, window: 0s"),
                "Rule 'api': window '0s' is not positive.",
                "Use 15m or PT15M.");
    }

    @Test
    void negativeWindow() {
        assertFailure(
                RULE.formatted("limit: 5, window: -1s"),
                "Rule 'api': window '-1s' is not positive.",
                "Use 15m or PT15M.");
    }

    @Test
    void windowThatIsTooLong() {
        assertFailure(
                RULE.formatted("limit: 5, window: 367d"),
                "Rule 'api': window PT8808H is out of range.",
                "Use a duration from 1ms to 366d.");
    }

    @Test
    void windowWithoutAUnit() {
        assertFailure(
                POLICY.formatted("limit: 5, window: 60"),
                "Policy 'login': window '60' has no unit.",
                "Write 60s for seconds or 60ms for milliseconds.");
    }

    @Test
    void limitWithAFraction() {
        assertFailure(
                POLICY.formatted("limit: 1.5, window: 1m"),
                "Policy 'login': limit '1.5' is no whole number.",
                "Use a number from 0 to 1000000000000.");
    }

    @Test
    void ruleWithAPolicyAndAnAlgorithmOfItsOwn() {
        assertFailure(
                "ratelimit: { policies: { login: { limit: 5, window: 1m } },"
                        + " rules: [ { name: api, paths: /api/**, policy: login, algorithm: sliding-log } ] }",
                "Rule 'api': algorithm, delay or nodelay has no effect beside policy 'login'.",
                "Write it into the policy, or remove it.");
    }

    @Test
    void missingWindow() {
        assertFailure(RULE.formatted("limit: 5"), "Rule 'api': window is missing.", "Write window = 1m.");
    }

    @Test
    void missingLimit() {
        assertFailure(POLICY.formatted("window: 1m"), "Policy 'login': limit is missing.", "Write limit = 100.");
    }

    @Test
    void negativeLimit() {
        assertFailure(
                RULE.formatted("limit: -1, window: 1m"),
                "Rule 'api': limit -1 is out of range.",
                "Use a number from 0 to 1000000000000.");
    }

    @Test
    void burstOfAnAlgorithmWithoutBursts() {
        assertFailure(
                POLICY.formatted("limit: 5, window: 1m, burst: 10, algorithm: sliding-log"),
                "Policy 'login': burst 10 does not apply to SLIDING_LOG.",
                "Remove it, or use TOKEN_BUCKET or LEAKY_BUCKET.");
    }

    @Test
    void delayOfAnAlgorithmWithoutAQueue() {
        assertFailure(
                POLICY.formatted("limit: 5, window: 1m, nodelay: true"),
                "Policy 'login': delay, nodelay and max-delay do not apply to TOKEN_BUCKET.",
                "Remove them, or use LEAKY_BUCKET.");
    }

    @Test
    void unreadableMaxDelay() {
        assertFailure(
                POLICY.formatted("limit: 5, window: 1m, algorithm: leaky-bucket, max-delay: soon"),
                "Policy 'login': max-delay 'soon' is not a duration.",
                "Use 2s or PT2S.");
    }

    @Test
    void limitInAListIsNamedByItsPlace() {
        assertFailure(
                POLICY.formatted("limits: [ { limit: 5, window: 1m }, { limit: 5, window: soon } ]"),
                "Policy 'login', limits[1]: window 'soon' is not a duration.",
                "Use 15m or PT15M.");
    }

    @Test
    void policyWithALimitAndAList() {
        assertFailure(
                POLICY.formatted("limit: 1, window: 1s, limits: [ { limit: 5, window: 1m } ]"),
                "Policy 'login': a limit and a list of limits are both given.",
                "Move the limit into the list.");
    }

    @Test
    void unknownPolicy() {
        assertFailure(
                """
                ratelimit:
                  policies: { login: { limit: 1, window: 1s }, search: { limit: 1, window: 1s } }
                  rules: [ { name: api, paths: /api/**, policy: logni } ]
                """,
                "Rule 'api': policy 'logni' does not exist.",
                "Add ratelimit.policies.logni, or use one of login, search.");
    }

    @Test
    void ruleWithoutALimit() {
        assertFailure(
                RULE.formatted("key: ip"),
                "Rule 'api': there is no limit.",
                "Give a limit and a window, or the name of a policy.");
    }

    @Test
    void ruleWithALimitAndAPolicy() {
        assertFailure(
                RULE.formatted("limit: 5, window: 1m, policy: login"),
                "Rule 'api': policy 'login' and a limit are both given.",
                "Remove one of them.");
    }

    @Test
    void ruleWithoutAName() {
        assertFailure(
                "ratelimit: { rules: [ { paths: /api/**, limit: 5, window: 1m } ] }",
                "ratelimit.rules[0]: name is missing.",
                "Give the rule a name; it stands in headers and metrics.");
    }

    @Test
    void ruleWithoutPaths() {
        assertFailure(
                "ratelimit: { rules: [ { name: api, limit: 5, window: 1m } ] }",
                "Rule 'api': paths are missing.",
                "Write paths = /** to limit every request.");
    }

    @Test
    void nameThatCannotStandInAHeader() {
        assertFailure(
                "ratelimit: { rules: [ { name: zurück, paths: /, limit: 5, window: 1m } ] }",
                "Rule 'zurück': name 'zurück' cannot stand in a header.",
                "Use letters, digits and signs of ASCII.");
    }

    @Test
    void policyNameThatCannotStandInAHeader() {
        assertFailure(
                "ratelimit: { policies: { \"[限制]\": { limit: 5, window: 1m } } }",
                "Policy '限制': name '限制' cannot stand in a header.",
                "Use letters, digits and signs of ASCII.");
    }

    @Test
    void oneNameWithDifferentLimits() {
        assertFailure(
                """
                ratelimit:
                  rules:
                    - { name: api, paths: /a, limit: 5, window: 1m }
                    - { name: api, paths: /b, limit: 6, window: 1m }
                """,
                "Rule 'api': name 'api' is already used by rule 'api' with other limits.",
                "Give both the same limits, or one of them another name.");
    }

    @Test
    void costAboveCapacity() {
        assertFailure(
                RULE.formatted("limit: 3, window: 1m, cost: 4"),
                "Rule 'api': cost '4' is above 3, the most that the limit can ever admit at once.",
                "Lower the cost, or raise limit or burst.");
    }
}

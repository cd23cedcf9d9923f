package io.ratelimit.autoconfigure;

import static io.ratelimit.autoconfigure.StartupFailure.assertFailure;

import io.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a user reads when an expression, a path or an annotation cannot work: the whole message, word by word. */
class ImpossibleExpressionTests {

    private static final String RULE =
            "ratelimit: { rules: [ { name: api, paths: /api/**, limit: 5, window: 1m, %s } ] }";

    @Test
    void keyThatIsNoExpression() {
        assertFailure(
                RULE.formatted("key: \"header('X\""),
                "Rule 'api': key 'header('X' is no SpEL (Expression [header('X] @7: EL1046E: Cannot find terminating ' for string).",
                "Correct the expression.");
    }

    @Test
    void costThatIsNoExpression() {
        assertFailure(
                RULE.formatted("cost: \"1 +\""),
                "Rule 'api': cost '1 +' is no SpEL (Expression [1 +] @2: EL1042E: Problem parsing right operand).",
                "Correct the expression.");
    }

    @Test
    void conditionThatIsNoExpression() {
        assertFailure(
                RULE.formatted("condition: \"((\""),
                "Rule 'api': condition '((' is no SpEL (Expression [((] @1: EL1044E: Unexpectedly ran out of input).",
                "Correct the expression.");
    }

    @Test
    void countWhenThatIsNoExpression() {
        assertFailure(
                RULE.formatted("count-when: \"status ==\""),
                "Rule 'api': countWhen 'status ==' is no SpEL (Expression [status ==] @7: EL1042E: Problem parsing right operand).",
                "Correct the expression.");
    }

    @Test
    void countWhenOfAPolicyThatIsNoExpression() {
        assertFailure(
                "ratelimit: { policies: { login: { limit: 5, window: 1m, count-when: \"status ==\" } } }",
                "Policy 'login': countWhen 'status ==' is no SpEL (Expression [status ==] @7: EL1042E: Problem parsing right operand).",
                "Correct the expression.");
    }

    @Test
    void templateThatIsNoExpression() {
        assertFailure(
                "ratelimit: { rules: [ { name: api, paths: /, policy: \"#{@plans.of(}\" } ] }",
                "Rule 'api': policy '#{@plans.of(}' is no SpEL (Expression [#{@plans.of(}] @12: Found closing '}' at position 12 but most recent opening is '(' at position 11).",
                "Correct the expression.");
    }

    @Test
    void defaultKeyThatIsNoExpression() {
        assertFailure(
                "ratelimit: { default-key: \"ip +\" }",
                "ratelimit.default-key: key 'ip +' is no SpEL (Expression [ip +] @3: EL1042E: Problem parsing right operand).",
                "Correct the expression.");
    }

    @Test
    void argumentInARule() {
        assertFailure(
                RULE.formatted("key: \"#userId\""),
                "Rule 'api': key '#userId' uses #userId, but there is no such argument.",
                "There are no arguments here, only ip, principal, header('X'), path, method and request.");
    }

    @Test
    void unknownPropertyOfTheRequest() {
        assertFailure(
                RULE.formatted("key: principle.name"),
                "Rule 'api': key 'principle.name' uses principle, which does not exist.",
                "Use one of ip, method, path, principal, request, or #name for an argument.");
    }

    @Test
    void pathThatIsNoPattern() {
        assertFailure(
                "ratelimit: { rules: [ { name: api, paths: \"/api/{id\", limit: 5, window: 1m } ] }",
                "Rule 'api': paths '/api/{id' is no path pattern: Expected close capture character after variable name }.",
                "Use one such as /api/** or /users/{id}.");
    }

    @Test
    void unknownArgumentOfAMethod() {
        assertFailure(
                "ratelimit: {}",
                "Method Catalog.search: key '#userId' uses #userId, but there is no such argument.",
                "Use #text.",
                UnknownArgument.class);
    }

    @Test
    void missingWindowOfAMethod() {
        assertFailure(
                "ratelimit: {}",
                "Method Catalog.search: window is missing.",
                "Write window = \"1m\".",
                MissingWindow.class);
    }

    @Test
    void unreadableWindowOfAMethod() {
        assertFailure(
                "ratelimit: {}",
                "Method Catalog.search: window 'a minute' is not a duration.",
                "Use 15m or PT15M.",
                UnreadableWindow.class);
    }

    @Test
    void unknownPolicyOfAMethod() {
        assertFailure(
                "ratelimit: {}",
                "Method Catalog.search: policy 'search' does not exist.",
                "Add ratelimit.policies.search.",
                UnknownPolicy.class);
    }

    @Test
    void costAboveCapacityOfAMethod() {
        assertFailure(
                "ratelimit: {}",
                "Method Catalog.search: cost '6' is above 5, the most that the limit can ever admit at once.",
                "Lower the cost, or raise limit or burst.",
                CostAboveCapacity.class);
    }

    @Test
    void sameNameWithOtherLimitsThanARule() {
        assertFailure(
                RULE.formatted("shadow: false"),
                "Rule 'api': name 'api' is already used by method Catalog.search with other limits.",
                "Give both the same limits, or one of them another name.",
                NameOfARule.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownArgument {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 5, window = "1m", key = "#userId")
            void search(String text) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MissingWindow {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 5)
            void search(String text) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnreadableWindow {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 5, window = "a minute")
            void search(String text) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownPolicy {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(policy = "search")
            void search(String text) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CostAboveCapacity {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 5, window = "1m", cost = "6")
            void search(String text) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NameOfARule {

        @Bean
        Catalog catalog() {
            return new Catalog();
        }

        static class Catalog {

            @RateLimited(limit = 6, window = "1m", name = "api")
            void search(String text) {}
        }
    }
}

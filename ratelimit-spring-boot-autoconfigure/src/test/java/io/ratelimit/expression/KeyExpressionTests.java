package io.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestHeader;

class KeyExpressionTests {

    private static final String DEFAULT = "principal?.name ?: ip";

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    private final ExpressionCompiler compiler =
            new ExpressionCompiler(beans, getClass().getClassLoader());

    private final FixedRequest request = FixedRequest.from("203.0.113.7");

    @Test
    void defaultKeySaysWhetherItIsAUserOrAnAddress() {
        KeyExpression key = compiler.key(DEFAULT, CallParameters.none());

        assertThat(text(key, request.as("alice"))).isEqualTo("user:alice");
        assertThat(text(key, request)).isEqualTo("ip:203.0.113.7");
        assertThat(text(key, request.as("203.0.113.7"))).isEqualTo("user:203.0.113.7");
        assertThat(text(key, request.as(""))).isEqualTo("ip:203.0.113.7");
    }

    @Test
    void explicitTextThatLooksLikeAnotherKindIsHashed() {
        KeyExpression key = key("#userId");

        for (String text : List.of("ip:203.0.113.7", "user:alice", "none:", "[a,b]", "sha256:00")) {
            assertThat(argument(key, text))
                    .startsWith("sha256:")
                    .hasSize(7 + 32)
                    .isNotEqualTo(text);
        }
        assertThat(argument(key, "alice")).isEqualTo("alice");
        assertThat(argument(key, "2001:db8::1")).isEqualTo("2001:db8::1");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "#userId, u7",
                "#p0, u7",
                "#a0, u7",
                "#order.customerId, c9",
                "#p1.customerId, c9",
                "#order?.customerId, c9",
                "ip, 203.0.113.7",
                "#ip, 203.0.113.7",
                "principal.name, alice",
                "#principal.name, alice",
                "principal, alice",
                "path, /items",
                "method, GET",
                "@tenants.of(#userId), tenant-u7",
                "'everyone', everyone",
                "1 + 1, 2"
            })
    void keyIsReadFromArgumentsRequestAndBeans(String expression, String expected) {
        beans.registerSingleton("tenants", new Tenants());
        KeyExpression key = compiler.key(expression, parameters("order", String.class, Order.class));
        EvaluationScope scope =
                call(parameters("order", String.class, Order.class), request.as("alice"), "u7", new Order("c9"));

        assertThat(key.evaluate(scope)).map(PartitionKey::text).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header('X-API-Key')",
                "request.header('X-API-Key')",
                "#request.header('X-API-Key')",
                "{ip, header('X-API-Key')}",
                "getRequest().header('X-API-Key')",
                "#root.request.header('X-API-Key')",
                "header('X-API-Key') ?: ip"
            })
    void whatMayBeACredentialIsHashed(String expression) {
        KeyExpression key = compiler.key(expression, CallParameters.none());

        PartitionKey computed = key.evaluate(EvaluationScope.ofRequest(request.with("X-API-Key", "secret")))
                .orElseThrow();

        assertThat(computed.hashed()).isTrue();
        assertThat(computed.text()).matches("sha256:[0-9a-f]{32}");
    }

    @Test
    void argumentsFromHeadersAreHashedToo() {
        KeyExpression key = compiler.key("#token", parameters("withHeader", String.class));
        EvaluationScope scope = call(parameters("withHeader", String.class), request, "secret");

        assertThat(key.evaluate(scope).orElseThrow().hashed()).isTrue();
    }

    @Test
    void longAndUnusualTextIsHashedAndStaysDistinct() {
        KeyExpression key = key("#userId");
        Set<String> keys = new HashSet<>();
        List<String> texts = List.of(
                "a b",
                "a\u0000b",
                "\uD83D\uDE00",
                "\u6771\u4EAC",
                "x".repeat(1 << 20),
                "x".repeat((1 << 20) + 1),
                "{a}",
                "a\"b",
                "\uD800",
                "\uD801");

        texts.forEach(text -> keys.add(argument(key, text)));

        assertThat(keys).hasSize(texts.size()).allMatch(text -> text.matches("sha256:[0-9a-f]{32}"));
    }

    @Test
    void partsAreNeverJoinedAmbiguously() {
        KeyExpression key = compiler.key("{#userId, #order}", parameters("two", String.class, String.class));
        Set<Optional<PartitionKey>> keys = new HashSet<>();
        List<String[]> pairs =
                List.of(new String[] {"a,b", "c"}, new String[] {"a", "b,c"}, new String[] {"a]", "[c"}, new String[] {
                    "a%2Cb", "c"
                });

        pairs.forEach(pair ->
                keys.add(key.evaluate(call(parameters("two", String.class, String.class), request, pair[0], pair[1]))));

        assertThat(keys).hasSize(4).allMatch(Optional::isPresent);
        assertThat(key.evaluate(call(parameters("two", String.class, String.class), request, "a", "b")))
                .contains(new PartitionKey("[a,b]", false));
    }

    @Test
    void nothingIsMissingAndSoIsAPartThatIsNothing() {
        KeyExpression single = key("#userId");
        KeyExpression both = compiler.key("{ip, #p0}", parameters("two", String.class, String.class));

        for (String nothing : Arrays.asList(null, "", " ")) {
            EvaluationScope scope = call(parameters("two", String.class, String.class), request, nothing, "y");
            assertThat(single.evaluate(scope)).isEmpty();
            assertThat(both.evaluate(scope)).isEmpty();
        }
    }

    @Test
    void objectsWithoutATextOfTheirOwnAreAnErrorAndNoEndlessNumberOfKeys() {
        KeyExpression key = compiler.key("#p0", parameters("any", Object.class));

        assertThatThrownBy(() -> key.evaluate(call(parameters("any", Object.class), request, new Object())))
                .hasMessage("the key is a Object, which has no text of its own; use one of its properties");
        assertThat(key.evaluate(call(parameters("any", Object.class), request, Map.of("k", 1))))
                .contains(new PartitionKey("[[k,1]]", false));
        assertThat(key.evaluate(call(parameters("any", Object.class), request, (Object) new long[] {1, 2})))
                .contains(new PartitionKey("[1,2]", false));
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        assertThatThrownBy(() -> key.evaluate(call(parameters("any", Object.class), request, endless)))
                .hasMessage("the key is nested more than 8 lists deep");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "principal?.name ?: ip | true",
                "ip | false",
                "header('X') | false",
                "#principal?.name | true",
                "#root.principal.name | true",
                "request.userPrincipal?.name | true",
                "request.isUserInRole('x') | true",
                "@plans.of(principal) | true",
                "T(org.springframework.security.core.context.SecurityContextHolder).context | true",
                "'principal' | false",
                "header('principal') | false",
                "#order.principal | false"
            })
    void principalIsFoundInTheSyntaxAndNotInTheText(String expression, boolean expected) {
        KeyExpression key = compiler.key(expression, parameters("order", String.class, Order.class));

        assertThat(key.usesPrincipal()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#usr | key '#usr' uses #usr, but there is no such argument; use #order, #userId",
                "userId | key 'userId' uses userId, but arguments need a #; use #userId",
                "user | key 'user' uses user, which does not exist; use one of ip, method, path, principal, request, or #name for an argument",
                "status | key 'status' uses status, which exists only after the call; move it to countWhen",
                "plan('x') | key 'plan('x')' calls plan(), which does not exist; use header('name'), or @bean.plan(...) for a method of a bean",
                "@plans.of(#usr) | key '@plans.of(#usr)' uses #usr, but there is no such argument; use #order, #userId",
                "#f(1) | key '#f(1)' calls the function #f(1), but there are none; call @bean.method(...)"
            })
    void namesThatDoNotExistAreFoundBeforeTheFirstRequest(String expression, String message) {
        assertThatThrownBy(() -> compiler.key(expression, parameters("order", String.class, Order.class)))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessage(message);
    }

    @Test
    void textThatIsNoExpressionIsFoundBeforeTheFirstRequest() {
        assertThatThrownBy(() -> compiler.key("#userId +", CallParameters.none()))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageStartingWith("key '#userId +' is no SpEL (")
                .hasMessageEndingWith("; correct the expression");
    }

    @Test
    void outsideARequestTheRootIsEmpty() {
        KeyExpression key = compiler.key(DEFAULT, CallParameters.none());

        assertThat(key.evaluate(EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none())))
                .isEmpty();
    }

    private KeyExpression key(String expression) {
        return compiler.key(expression, parameters("two", String.class, String.class));
    }

    private String argument(KeyExpression key, String text) {
        return key.evaluate(call(parameters("two", String.class, String.class), request, text, "y"))
                .orElseThrow()
                .text();
    }

    private static String text(KeyExpression key, RequestRoot request) {
        return key.evaluate(EvaluationScope.ofRequest(request)).orElseThrow().text();
    }

    private static EvaluationScope call(CallParameters parameters, RequestRoot request, Object... arguments) {
        return EvaluationScope.ofCall(parameters, arguments, () -> Optional.of(request));
    }

    private static CallParameters parameters(String method, Class<?>... types) {
        Method found = ReflectionUtils.findMethod(Methods.class, method, types);
        return CallParameters.of(found);
    }

    interface Methods {

        void order(String userId, Order order);

        void two(String userId, String order);

        void any(Object value);

        void withHeader(@RequestHeader String token);
    }

    public record Order(String customerId) {

        public String getCustomerId() {
            return customerId;
        }

        public String getPrincipal() {
            return customerId;
        }
    }

    public static class Tenants {

        public String of(String user) {
            return "tenant-" + user;
        }
    }
}

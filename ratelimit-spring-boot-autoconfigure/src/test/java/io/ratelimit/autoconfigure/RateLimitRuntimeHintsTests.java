package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.actuate.LimitReport;
import io.ratelimit.actuate.RateLimitEndpoint;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.expression.RequestRoot;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** What a native image keeps. */
// The predicates of Spring 6 have other signatures.
@Tag("default-line")
class RateLimitRuntimeHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    RateLimitRuntimeHintsTests() {
        new RateLimitRuntimeHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void everyScriptIsKept() throws IOException {
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/ratelimit/redis/*.lua");
        assertThat(scripts).isNotEmpty().allSatisfy(script -> assertThat(hints)
                .matches(RuntimeHintsPredicates.resource().forResource("io/ratelimit/redis/" + script.getFilename())));
    }

    @Test
    void whatExpressionsCallIsKept() {
        assertThat(hints).matches(invocationsOf(RequestRoot.class));
        assertThat(ClassUtils.isPresent(
                        "io.ratelimit.expression.ExpressionRoot", getClass().getClassLoader()))
                .isTrue();
    }

    @Test
    void theAnnotationIsKept() {
        assertThat(hints).matches(invocationsOf(RateLimited.class));
    }

    @Test
    void theListOfMasterAndReplicasCanBeRead() throws NoSuchFieldException {
        assertThat(hints)
                .matches(RuntimeHintsPredicates.reflection()
                        .onFieldAccess(LettuceConnectionFactory.class.getDeclaredField("configuration")));
    }

    /** Spring Boot asks for them while it prepares beans: operations are called, and their results written, by name. */
    @Test
    void theOperationsOfTheEndpointAndTheirResultsAreKept() {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, RateLimitEndpoint.class);

        List<Method> operations = Arrays.stream(RateLimitEndpoint.class.getDeclaredMethods())
                .filter(method -> MergedAnnotations.from(method).isPresent(Reflective.class))
                .toList();

        assertThat(operations).hasSizeGreaterThan(2).allSatisfy(operation -> {
            assertThat(hints).matches(RuntimeHintsPredicates.reflection().onMethodInvocation(operation));
            Class<?> result = ResolvableType.forMethodReturnType(operation).toClass();
            if (result.isRecord()) {
                for (RecordComponent component : result.getRecordComponents()) {
                    assertThat(hints)
                            .matches(RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()));
                }
            }
        });
    }

    @Test
    void theReasonOfARefusedChangeIsKept() throws NoSuchMethodException {
        assertThat(hints)
                .matches(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(LimitReport.Problem.class.getMethod("problem")));
    }

    private static Predicate<RuntimeHints> invocationsOf(Class<?> type) {
        return RuntimeHintsPredicates.reflection()
                .onType(type)
                .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}

package io.ratelimit.aop;

import static io.ratelimit.aop.LimitedApplication.admitted;
import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcing;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

@ExtendWith(OutputCaptureExtension.class)
class RateLimitedMethodTests {

    @Test
    void aMethodIsLimitedAndOthersAreNot() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);

            assertThat(admitted(5, () -> catalog.search("x"))).isEqualTo(2);
            assertThat(admitted(5, catalog::free)).isEqualTo(5);
            assertThatThrownBy(() -> catalog.search("x"))
                    .isInstanceOf(RateLimitExceededException.class)
                    .hasMessage("Rate limit exceeded: default");
        }
    }

    @Test
    void eachLimitedMethodIsAnnouncedOnce(CapturedOutput output) {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class, Shared.class, LazyRight.class)) {
            application.get(LazyRight.class).limited();

            assertThat(output.getOut()
                            .lines()
                            .filter(line -> line.contains("FIXED_WINDOW) for each"))
                            .map(line -> line.substring(line.indexOf("method "))))
                    .anySatisfy(line ->
                            assertThat(line).contains("method Catalog.find(int): 2 per 1m (FIXED_WINDOW) for each "))
                    .anySatisfy(line ->
                            assertThat(line).contains("method Catalog.find(String): 2 per 1m (FIXED_WINDOW) for each "))
                    .anySatisfy(line ->
                            assertThat(line).contains("method Shared.one: ").endsWith(", counted as 'Shared'"))
                    .anySatisfy(line ->
                            assertThat(line).contains("method Shared.two: ").endsWith(", counted as 'Shared'"))
                    .doesNotHaveDuplicates();
            assertThat(output.getOut().split("method LazyRight.limited: ", -1)).hasSize(2);
        }
    }

    @Test
    void argumentsPartitionTheCounts() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);

            assertThat(admitted(3, () -> catalog.byUser("a"))).isEqualTo(2);
            assertThat(admitted(3, () -> catalog.byUser("b"))).isEqualTo(2);
        }
    }

    @Test
    void overloadsCountSeparately() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);

            assertThat(admitted(3, () -> catalog.find(1))).isEqualTo(2);
            assertThat(admitted(3, () -> catalog.find("1"))).isEqualTo(2);
            assertThat(application.room.registry.specs())
                    .extracting(LimitSpec::bucket)
                    .contains("Catalog.find(int)", "Catalog.find(String)", "Catalog.search", "Catalog.byUser");
        }
    }

    @Test
    void severalAnnotationsOfOneMethodAllApply() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            Catalog catalog = application.get(Catalog.class);

            assertThat(admitted(5, () -> catalog.twice("a"))).isEqualTo(2);
            assertThat(admitted(5, () -> catalog.twice("b"))).isEqualTo(1);
        }
    }

    @Test
    void classLevelLimitsAreSharedAndMethodLevelReplacesThem() {
        try (LimitedApplication application = LimitedApplication.of(Shared.class)) {
            Shared shared = application.get(Shared.class);

            assertThat(admitted(2, shared::one)).isEqualTo(2);
            assertThat(admitted(2, shared::two)).isEqualTo(1);
            assertThat(admitted(9, shared::own)).isEqualTo(5);
            assertThat(shared.toString()).isEqualTo("shared");
        }
    }

    @Test
    void annotationsOfInterfacesAndSuperclassesApply() {
        try (LimitedApplication application = LimitedApplication.of(Service.class, Derived.class)) {
            assertThat(admitted(5, application.get(Service.class)::annotatedOnInterface))
                    .isEqualTo(2);
            assertThat(admitted(5, () -> application.get(Service.class).named("x")))
                    .isEqualTo(2);
            assertThat(admitted(5, application.get(Derived.class)::inherited)).isEqualTo(2);
            assertThat(admitted(5, application.get(Derived.class)::overridden)).isEqualTo(1);
        }
    }

    @Test
    void implementationsBehindJdkProxiesAreLimited() {
        try (LimitedApplication application = LimitedApplication.of(
                new Enforcing(),
                context -> context.addBeanFactoryPostProcessor(factory ->
                        factory.addBeanPostProcessor(new org.springframework.beans.factory.config.BeanPostProcessor() {
                            @Override
                            public Object postProcessBeforeInitialization(Object bean, String name) {
                                if (bean instanceof RateLimitPostProcessor processor) {
                                    processor.setProxyTargetClass(false);
                                }
                                return bean;
                            }
                        })),
                Service.class)) {
            Api api = application.get(Api.class);

            assertThat(AopUtils.isJdkDynamicProxy(api)).isTrue();
            assertThat(admitted(5, api::annotatedOnImplementation)).isEqualTo(2);
            assertThat(admitted(5, api::annotatedOnInterface)).isEqualTo(2);
        }
    }

    @Test
    void ownAnnotationsAndPlaceholdersWork() {
        try (LimitedApplication application = LimitedApplication.of(Catalog.class)) {
            assertThat(admitted(9, application.get(Catalog.class)::custom)).isEqualTo(3);
            assertThat(admitted(9, application.get(Catalog.class)::placeholder)).isEqualTo(2);
        }
    }

    @Test
    void whatIsNotLimitedIsNotWrapped() {
        try (LimitedApplication application = LimitedApplication.of(Plain.class)) {
            assertThat(AopUtils.isAopProxy(application.get(Plain.class))).isFalse();
        }
    }

    @Test
    void whatCannotBeWrappedWarnsAndWorksUnlimited(CapturedOutput output) {
        try (LimitedApplication application = LimitedApplication.of(Unreachable.class, Final.class)) {
            assertThat(admitted(5, application.get(Unreachable.class)::finalMethod))
                    .isEqualTo(5);
            assertThat(admitted(5, application.get(Final.class)::limited)).isEqualTo(5);
        }
        assertThat(output)
                .contains(
                        "method Unreachable.finalMethod: @RateLimited has no effect, because the method is final; make it overridable")
                .contains("method Unreachable.privateMethod: @RateLimited has no effect, because the method is private")
                .contains("method Unreachable.staticMethod: @RateLimited has no effect, because the method is static")
                .contains("Final: @RateLimited has no effect, because the class is final; make it overridable");
    }

    @Test
    void mistakesAreFoundAtStartUpEvenInLazyBeans() {
        assertStartFails(
                Wrong.class, "method Wrong.limited: key '#usr' uses #usr, but there is no such argument; use #user");
        assertStartFails(LazyWrong.class, "method LazyWrong.limited: window '15x' is not a duration; use 15m or PT15M");
        assertStartFails(
                NoValue.class,
                "method NoValue.limited: limitString '${no.such}' has a placeholder without a value; define the property, or give a default as in ${name:5}");
        assertStartFails(
                NoLimit.class,
                "method NoLimit.limited: there is no limit; give a limit and a window, or the name of a policy");
    }

    @Test
    void limitsAreOutermostByDefaultAndMoveWithTheirOrder() {
        assertThat(placeOfLimits(Integer.MIN_VALUE)).isZero();
        assertThat(placeOfLimits(Integer.MAX_VALUE - 1)).isEqualTo(1);
    }

    private static int placeOfLimits(int order) {
        try (LimitedApplication application =
                LimitedApplication.of(new Enforcing(), order, context -> {}, AsyncConfiguration.class, Jobs.class)) {
            Advised advised = (Advised) application.get(Jobs.class);
            assertThat(advised.getAdvisors()).hasSize(2);
            return advised.getAdvisors()[0] instanceof RateLimitAdvisor ? 0 : 1;
        }
    }

    private static void assertStartFails(Class<?> bean, String message) {
        assertThatThrownBy(() -> LimitedApplication.of(bean))
                .extracting(NestedExceptionUtils::getMostSpecificCause)
                .isInstanceOf(RateLimitConfigurationException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo(message);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited(window = "1m", algorithm = FIXED_WINDOW)
    @interface PerMinute {

        @AliasFor(annotation = RateLimited.class, attribute = "limit")
        long value();
    }

    static class Catalog {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        String search(String text) {
            return text;
        }

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW, key = "#user")
        public String byUser(String user) {
            return user;
        }

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public int find(int id) {
            return id;
        }

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public String find(String id) {
            return id;
        }

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW, key = "#user")
        @RateLimited(limit = 3, window = "1m", algorithm = FIXED_WINDOW, key = "'all'")
        public String twice(String user) {
            return user;
        }

        @PerMinute(3)
        public String custom() {
            return "custom";
        }

        @RateLimited(limitString = "${search.limit}", window = "${search.window}", algorithm = FIXED_WINDOW)
        public String placeholder() {
            return "placeholder";
        }

        public String free() {
            return "free";
        }
    }

    @RateLimited(limit = 3, window = "1m", algorithm = FIXED_WINDOW)
    static class Shared {

        public String one() {
            return "1";
        }

        public String two() {
            return "2";
        }

        @RateLimited(limit = 5, window = "1m", algorithm = FIXED_WINDOW)
        public String own() {
            return "own";
        }

        @Override
        public String toString() {
            return "shared";
        }
    }

    @Lazy
    static class LazyRight {

        @RateLimited(limit = 5, window = "1m", algorithm = FIXED_WINDOW)
        public String limited() {
            return "limited";
        }
    }

    interface Api {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        String annotatedOnInterface();

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW, key = "#nameInInterface")
        String named(String nameInInterface);

        String annotatedOnImplementation();
    }

    static class Service implements Api {

        @Override
        public String annotatedOnInterface() {
            return "i";
        }

        @Override
        public String named(String otherName) {
            return otherName;
        }

        @Override
        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public String annotatedOnImplementation() {
            return "c";
        }
    }

    static class Base {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public String inherited() {
            return "base";
        }

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public String overridden() {
            return "base";
        }
    }

    static class Derived extends Base {

        @Override
        @RateLimited(limit = 1, window = "1m", algorithm = FIXED_WINDOW)
        public String overridden() {
            return "derived";
        }
    }

    static class Plain {

        public String free() {
            return "free";
        }
    }

    static class Unreachable {

        private final String state = "state";

        @RateLimited(limit = 1, window = "1m")
        public final String finalMethod() {
            return state.toUpperCase() + privateMethod() + staticMethod();
        }

        @RateLimited(limit = 1, window = "1m")
        private String privateMethod() {
            return "p";
        }

        @RateLimited(limit = 1, window = "1m")
        static String staticMethod() {
            return "s";
        }
    }

    static final class Final {

        @RateLimited(limit = 1, window = "1m")
        public String limited() {
            return "x";
        }
    }

    static class Wrong {

        @RateLimited(limit = 1, window = "1m", key = "#usr")
        public String limited(String user) {
            return user;
        }
    }

    @Lazy
    static class LazyWrong {

        @RateLimited(limit = 1, window = "15x")
        public String limited() {
            return "x";
        }
    }

    static class NoValue {

        @RateLimited(limitString = "${no.such}", window = "1m")
        public String limited() {
            return "x";
        }
    }

    static class NoLimit {

        @RateLimited
        public String limited() {
            return "x";
        }
    }

    @EnableAsync
    static class AsyncConfiguration {}

    static class Jobs {

        @Async
        @RateLimited(limit = 1, window = "1m")
        public void run() {}
    }
}

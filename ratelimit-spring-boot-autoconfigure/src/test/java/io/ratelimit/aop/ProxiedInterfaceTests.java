package io.ratelimit.aop;

import static io.ratelimit.aop.LimitedApplication.admitted;
import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.enforcement.Enforcing;
import io.ratelimit.enforcement.LimitSpec;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Beans that exist only as a proxy of an annotated interface: clients, repositories; and other special beans. */
class ProxiedInterfaceTests {

    @Test
    void interfacesWithoutAnImplementationAreLimited() {
        try (LimitedApplication application = LimitedApplication.of(Clients.class)) {
            assertThat(admitted(5, application.get(SpringClient.class)::fetch)).isEqualTo(2);
            assertThat(admitted(5, application.get(PlainClient.class)::fetch)).isEqualTo(2);
            assertThat(admitted(5, application.get(Repository.class)::find)).isEqualTo(2);
            assertThat(application.room.registry.specs())
                    .extracting(LimitSpec::bucket)
                    .containsExactlyInAnyOrder("SpringClient.fetch", "PlainClient", "Repository.find");
        }
    }

    @Test
    void aScopedBeanIsChargedOnce() {
        try (LimitedApplication application = LimitedApplication.of(Scoped.class)) {
            assertThat(admitted(5, application.get(Scoped.class)::limited)).isEqualTo(2);
        }
    }

    @Test
    void scheduledMethodsAreLimitedToo() throws Exception {
        Jobs.RUNS.set(0);
        Enforcing room = new Enforcing();
        room.listeners.add(enforcement -> Jobs.DECISIONS.countDown());
        try (LimitedApplication application =
                LimitedApplication.of(room, context -> {}, Scheduling.class, Jobs.class)) {
            assertThat(Jobs.DECISIONS.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(application.get(Jobs.class)).isNotNull();
            assertThat(Jobs.RUNS).hasValueLessThanOrEqualTo(1);
        }
    }

    interface SpringClient {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        String fetch();
    }

    @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
    interface PlainClient {

        String fetch();
    }

    interface Repository {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        String find();
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        SpringClient springClient() {
            return ProxyFactory.getProxy(SpringClient.class, (MethodInterceptor) invocation -> "fetched");
        }

        @Bean
        PlainClient plainClient() {
            return (PlainClient) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {PlainClient.class}, (proxy, method, arguments) -> "x");
        }

        @Bean
        Repository repository() {
            ProxyFactory factory = new ProxyFactory(new Object());
            factory.setInterfaces(Repository.class);
            factory.addAdvice((MethodInterceptor) invocation -> "found");
            return (Repository) factory.getProxy();
        }
    }

    @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped {

        @RateLimited(limit = 2, window = "1m", algorithm = FIXED_WINDOW)
        public String limited() {
            return "x";
        }
    }

    @EnableScheduling
    static class Scheduling {}

    static class Jobs {

        static final AtomicInteger RUNS = new AtomicInteger();

        static final CountDownLatch DECISIONS = new CountDownLatch(3);

        @Scheduled(fixedDelay = 1)
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public void run() {
            RUNS.incrementAndGet();
        }
    }
}

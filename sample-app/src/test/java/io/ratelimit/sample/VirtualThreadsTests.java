package io.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Where the other tests claim to run on virtual threads, they do. */
@EnabledIfEnvironmentVariable(
        named = "SPRING_THREADS_VIRTUAL_ENABLED",
        matches = "true",
        disabledReason = "virtual threads are not asked for")
@Import(VirtualThreadsTests.Watch.class)
class VirtualThreadsTests extends RunningSample {

    private static final Queue<String> THREADS = new ConcurrentLinkedQueue<>();

    @TestConfiguration(proxyBeanMethods = false)
    static class Watch {

        @Bean
        Filter watch() {
            return (request, response, chain) -> {
                THREADS.add(Thread.currentThread().toString());
                chain.doFilter(request, response);
            };
        }
    }

    @Test
    void requestsAreServedOnVirtualThreads() {
        assertThat(statusesOf(4, "POST", "/shop/customers/ada/orders")).containsExactly(201, 201, 201, 429);
        assertThat(THREADS).isNotEmpty().allMatch(thread -> thread.startsWith("VirtualThread"));
    }
}

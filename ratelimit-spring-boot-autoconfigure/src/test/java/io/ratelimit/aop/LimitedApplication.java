package io.ratelimit.aop;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcing;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.RequestRoot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;

/** A small application whose beans are limited, in memory and by a clock that stands still. */
final class LimitedApplication implements AutoCloseable {

    final Enforcing room;

    final ManualPause pause = new ManualPause();

    RequestRoot request;

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private LimitedApplication(Enforcing room) {
        this.room = room;
    }

    static LimitedApplication of(Class<?>... beans) {
        return of(new Enforcing(), settings -> {}, beans);
    }

    static LimitedApplication of(
            Enforcing room, Consumer<AnnotationConfigApplicationContext> customizer, Class<?>... beans) {
        return of(room, Ordered.HIGHEST_PRECEDENCE, customizer, beans);
    }

    static LimitedApplication of(
            Enforcing room, int order, Consumer<AnnotationConfigApplicationContext> customizer, Class<?>... beans) {
        LimitedApplication application = new LimitedApplication(room);
        AnnotationConfigApplicationContext context = application.context;
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("search.limit", "2", "search.window", "1m")));
        CurrentRequest current = () -> Optional.ofNullable(application.request);
        context.registerBean(
                MethodPlans.class,
                () -> new MethodPlans(
                        context.getBeanFactory(),
                        room.factory(),
                        new CallStyle.Tools(room.enforcer(), current, application.pause, Runnable::run)));
        context.registerBean(
                RateLimitPostProcessor.class,
                () -> new RateLimitPostProcessor(() -> context.getBean(MethodPlans.class), order),
                definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
        context.registerBean(RateLimitAdvisorSorter.class, RateLimitAdvisorSorter::new);
        context.register(beans);
        customizer.accept(context);
        context.refresh();
        return application;
    }

    <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns how many of the calls are admitted. */
    static int admitted(int calls, Callable<?> call) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            try {
                call.call();
                admitted++;
            } catch (RateLimitExceededException e) {
                // counted by its absence
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        return admitted;
    }

    @Override
    public void close() {
        context.close();
    }

    /** Waits only as long as a test wants. */
    static final class ManualPause implements Pause {

        final Deque<CompletableFuture<Void>> timers = new ArrayDeque<>();

        final Deque<Long> awaited = new ArrayDeque<>();

        InterruptedException interrupt;

        @Override
        public void await(long micros) throws InterruptedException {
            if (interrupt != null) {
                throw interrupt;
            }
            awaited.add(micros);
        }

        @Override
        public CompletableFuture<Void> after(long micros) {
            CompletableFuture<Void> timer = new CompletableFuture<>();
            timers.add(timer);
            awaited.add(micros);
            return timer;
        }
    }
}

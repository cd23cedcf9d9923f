package io.ratelimit.aop;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * What belongs to the calling thread and has to be there when the body runs on another one: class loader, locale,
 * request, authentication, and whatever the application registered with Micrometer's context propagation.
 */
final class CallContext {

    private static final boolean WEB = isPresent("org.springframework.web.context.request.RequestContextHolder");

    private static final boolean SECURITY =
            isPresent("org.springframework.security.core.context.SecurityContextHolder");

    private static final boolean MICROMETER = isPresent("io.micrometer.context.ContextSnapshotFactory");

    private final List<Slot> slots;

    private final @Nullable UnaryOperator<Runnable> snapshot;

    private CallContext(List<Slot> slots, @Nullable UnaryOperator<Runnable> snapshot) {
        this.slots = slots;
        this.snapshot = snapshot;
    }

    /** One value of a thread. */
    private interface Slot {

        /** Puts the value on this thread; what is returned restores the former one. */
        Runnable set();
    }

    static CallContext capture() {
        List<Slot> slots = new ArrayList<>();
        slots.add(classLoader());
        slots.add(locale());
        if (WEB) {
            slots.add(Web.request());
        }
        if (SECURITY) {
            slots.add(Security.authentication());
        }
        return new CallContext(slots, MICROMETER ? Micrometer.snapshot() : null);
    }

    Runnable wrap(Runnable body) {
        Runnable inner = snapshot == null ? body : snapshot.apply(body);
        return () -> {
            List<Runnable> restore = new ArrayList<>();
            try {
                slots.forEach(slot -> restore.add(0, slot.set()));
                inner.run();
            } finally {
                restore.forEach(Runnable::run);
            }
        };
    }

    <T extends @Nullable Object> T call(Callable<T> body) throws Exception {
        List<T> results = new ArrayList<>(1);
        List<Exception> errors = new ArrayList<>(0);
        wrap(() -> {
                    try {
                        results.add(body.call());
                    } catch (Exception e) {
                        errors.add(e);
                    }
                })
                .run();
        if (!errors.isEmpty()) {
            throw errors.get(0);
        }
        return results.get(0);
    }

    private static Slot classLoader() {
        ClassLoader captured = Thread.currentThread().getContextClassLoader();
        return () -> {
            Thread thread = Thread.currentThread();
            ClassLoader former = thread.getContextClassLoader();
            thread.setContextClassLoader(captured);
            return () -> thread.setContextClassLoader(former);
        };
    }

    private static Slot locale() {
        LocaleContext captured = LocaleContextHolder.getLocaleContext();
        return () -> {
            LocaleContext former = LocaleContextHolder.getLocaleContext();
            LocaleContextHolder.setLocaleContext(captured);
            return () -> LocaleContextHolder.setLocaleContext(former);
        };
    }

    private static boolean isPresent(String className) {
        return ClassUtils.isPresent(className, CallContext.class.getClassLoader());
    }

    /** Only loaded where Spring's web support is. */
    private static final class Web {

        static Slot request() {
            RequestAttributes captured = RequestContextHolder.getRequestAttributes();
            return () -> {
                RequestAttributes former = RequestContextHolder.getRequestAttributes();
                RequestContextHolder.setRequestAttributes(captured);
                return () -> RequestContextHolder.setRequestAttributes(former);
            };
        }
    }

    /** Only loaded where Spring Security is. */
    private static final class Security {

        static Slot authentication() {
            Supplier<SecurityContext> captured = SecurityContextHolder.getDeferredContext();
            return () -> {
                Supplier<SecurityContext> former = SecurityContextHolder.getDeferredContext();
                SecurityContextHolder.setDeferredContext(captured);
                return () -> SecurityContextHolder.setDeferredContext(former);
            };
        }
    }

    /** Only loaded where Micrometer's context propagation is. */
    private static final class Micrometer {

        private static final ContextSnapshotFactory FACTORY =
                ContextSnapshotFactory.builder().build();

        static UnaryOperator<Runnable> snapshot() {
            ContextSnapshot snapshot = FACTORY.captureAll();
            return snapshot::wrap;
        }
    }
}

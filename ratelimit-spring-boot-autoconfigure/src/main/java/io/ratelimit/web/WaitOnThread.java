package io.ratelimit.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Lets a queued request wait that no {@link DispatcherServlet} will handle. Only there is a way to wait without a thread
 * that skips nobody ({@link DelayInterceptor}); the number of waiting requests is bounded when they are admitted.
 */
final class WaitOnThread {

    private final Map<String, Boolean> dispatchers = new ConcurrentHashMap<>();

    void beforeHandler(LimitedRequest state, HttpServletRequest request) throws ServletException {
        long delay = state.ledger().delayMicros();
        if (delay > 0 && !isForDispatcher(request)) {
            await(delay, state);
        }
    }

    static void await(long delayMicros, LimitedRequest state) throws ServletException {
        try {
            TimeUnit.MICROSECONDS.sleep(delayMicros);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            state.ledger().refund();
            throw new ServletException("Interrupted while waiting for a rate limit", interrupted);
        } finally {
            state.doneWaiting();
        }
    }

    private boolean isForDispatcher(HttpServletRequest request) {
        String servlet = request.getHttpServletMapping().getServletName();
        if (servlet == null || servlet.isEmpty()) {
            return true;
        }
        return dispatchers.computeIfAbsent(servlet, name -> isDispatcher(request, name));
    }

    private static boolean isDispatcher(HttpServletRequest request, String servlet) {
        ServletRegistration registration = request.getServletContext().getServletRegistration(servlet);
        if (registration == null || registration.getClassName() == null) {
            return false;
        }
        try {
            ClassLoader loader = WaitOnThread.class.getClassLoader();
            return DispatcherServlet.class.isAssignableFrom(ClassUtils.forName(registration.getClassName(), loader));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return false;
        }
    }
}

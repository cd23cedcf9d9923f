package io.ratelimit.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.AsyncWebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Lets requests that a leaky bucket queued wait without holding a thread. To be registered as the first interceptor, so
 * that the handler and everything around it runs once, after the wait.
 *
 * <p>Why here and not in a filter: a filter that starts asynchronous processing is re-dispatched as {@code ASYNC}, where
 * the filters behind it, those that authenticate among them, do not run. At this point all of them have run.
 */
public final class DelayInterceptor implements AsyncHandlerInterceptor {

    /** How much later than its end a wait is given up, should it never end. */
    private static final long GRACE_MILLIS = 60_000;

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        LimitedRequest state = LimitedRequest.of(request).orElse(null);
        if (state == null) {
            return true;
        }
        if (request.getDispatcherType() == DispatcherType.ASYNC && state.isWaiting()) {
            WebAsyncUtils.getAsyncManager(request).clearConcurrentResult();
            state.doneWaiting();
            return true;
        }
        long delay = request.getDispatcherType() == DispatcherType.REQUEST
                ? state.ledger().delayMicros()
                : 0;
        if (delay <= 0) {
            return true;
        }
        if (!request.isAsyncSupported()) {
            WaitOnThread.await(delay, state);
            return true;
        }
        startWaiting(delay, state, request, response);
        return false;
    }

    /** The last chance to write headers to an asynchronous response without a body. */
    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        if (request.getDispatcherType() == DispatcherType.ASYNC && !request.isAsyncStarted()) {
            LimitedRequest.of(request).ifPresent(LimitedRequest::finishResponse);
        }
    }

    private static void startWaiting(
            long delayMicros, LimitedRequest state, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        state.startWaiting();
        AsyncWebRequest asyncRequest = WebAsyncUtils.createAsyncWebRequest(request, response);
        WebAsyncManager manager = WebAsyncUtils.getAsyncManager(request);
        manager.setAsyncWebRequest(asyncRequest);
        long timeoutMillis = TimeUnit.MICROSECONDS.toMillis(delayMicros) + GRACE_MILLIS;
        DeferredResult<Boolean> turn = new DeferredResult<>(timeoutMillis);
        manager.startDeferredResultProcessing(turn);
        CompletableFuture.delayedExecutor(delayMicros, TimeUnit.MICROSECONDS, Runnable::run)
                .execute(() -> turn.setResult(Boolean.TRUE));
    }
}

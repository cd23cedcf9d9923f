package io.ratelimit.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Settles, once the response is complete, what counts only with certain results. */
final class Completion implements AsyncListener {

    private final LimitedRequest state;

    private final HttpServletResponse response;

    private volatile @Nullable Throwable error;

    Completion(LimitedRequest state, HttpServletResponse response) {
        this.state = state;
        this.response = response;
    }

    void returned(ServletRequest request) {
        if (request.isAsyncStarted()) {
            request.getAsyncContext().addListener(this);
            return;
        }
        state.finishResponse();
        complete(response.getStatus());
    }

    void threw(Throwable failure) {
        error = failure;
        state.finishResponse();
        complete(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        complete(error == null ? response.getStatus() : HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        state.ledger().timedOut();
    }

    @Override
    public void onError(AsyncEvent event) {
        error = event.getThrowable();
    }

    /** Listeners are forgotten when a dispatch starts another asynchronous cycle. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    private void complete(int status) {
        state.doneWaiting();
        state.ledger().complete(status, error);
    }
}

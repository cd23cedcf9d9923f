package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.RequestLedger;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the limiter knows about one HTTP request, whatever its dispatches: kept as an attribute of the request. */
final class LimitedRequest {

    private static final String ATTRIBUTE = LimitedRequest.class.getName();

    private final PathRules.Snapshot rules;

    private final RequestLedger ledger = new RequestLedger();

    private final Set<Phase> decided = EnumSet.noneOf(Phase.class);

    private @Nullable LimitedResponse response;

    private volatile @Nullable RateLimitExceededException rejection;

    private boolean waiting;

    private LimitedRequest(PathRules.Snapshot rules) {
        this.rules = rules;
    }

    static Optional<LimitedRequest> of(ServletRequest request) {
        return Optional.ofNullable((LimitedRequest) request.getAttribute(ATTRIBUTE));
    }

    static LimitedRequest begin(HttpServletRequest request, PathRules.Snapshot rules) {
        LimitedRequest state = new LimitedRequest(rules);
        request.setAttribute(ATTRIBUTE, state);
        return state;
    }

    /** {@return the rules that were in force when the request arrived} */
    PathRules.Snapshot rules() {
        return rules;
    }

    RequestLedger ledger() {
        return ledger;
    }

    /** {@return whether this is the first time that the request comes to this phase} */
    boolean enter(Phase phase) {
        return decided.add(phase);
    }

    void answeredThrough(LimitedResponse wrapper) {
        this.response = wrapper;
    }

    /** Writes the headers, if the response still takes them. */
    void finishResponse() {
        if (response != null) {
            response.finish();
        }
    }

    /** Notes that the answer becomes a 429 or 503, and gives back what the request was charged so far. */
    void reject(RateLimitExceededException refusal) {
        this.rejection = refusal;
        ledger.refund();
        ledger.doneWaiting();
    }

    @Nullable
    RateLimitExceededException rejection() {
        return rejection;
    }

    boolean isWaiting() {
        return waiting;
    }

    void startWaiting() {
        waiting = true;
    }

    void doneWaiting() {
        waiting = false;
        ledger.doneWaiting();
    }
}

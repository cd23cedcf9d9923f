package io.ratelimit.web;

import io.ratelimit.enforcement.RequestLedger;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.RequestRoot;
import java.util.Optional;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Finds the servlet request of the current thread, and what it was charged so far, for annotated methods. */
public final class ServletRequests implements CurrentRequest, RequestLedger.Access {

    private final ClientAddress clientAddress;

    /**
     * Creates the source.
     *
     * @param clientAddress finds the address of the client
     */
    public ServletRequests(ClientAddress clientAddress) {
        this.clientAddress = clientAddress;
    }

    @Override
    public Optional<RequestRoot> get() {
        return attributes().map(attributes -> new ServletRequestRoot(attributes.getRequest(), clientAddress));
    }

    @Override
    public Optional<RequestLedger> current() {
        return attributes()
                .flatMap(attributes -> LimitedRequest.of(attributes.getRequest()))
                .map(LimitedRequest::ledger);
    }

    private static Optional<ServletRequestAttributes> attributes() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? Optional.of(attributes)
                : Optional.empty();
    }
}

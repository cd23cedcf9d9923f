package io.ratelimit.actuate;

import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes a {@link RateLimitExceededEvent} for each limit that refused. A listener that fails does not hurt the request. */
public final class RefusalEvents implements EnforcementListener {

    private static final Log LOG = LogFactory.getLog(RefusalEvents.class);

    private final ApplicationEventPublisher publisher;

    /**
     * Creates the source of events.
     *
     * @param publisher passes them on
     */
    public RefusalEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void decided(Enforcement enforcement) {
        for (Charge charge : enforcement.charges()) {
            if (!charge.decision().allowed()) {
                publish(charge);
            }
        }
    }

    private void publish(Charge charge) {
        try {
            publisher.publishEvent(new RateLimitExceededEvent(
                    charge.wireName(), charge.spec().subject(), charge.key().text(), charge.decision()));
        } catch (RuntimeException e) {
            LOG.warn("A listener of RateLimitExceededEvent failed", e);
        }
    }
}

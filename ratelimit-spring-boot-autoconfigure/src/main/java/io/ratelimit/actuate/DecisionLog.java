package io.ratelimit.actuate;

import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import io.ratelimit.enforcement.LimitSpec;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes one line for each decision, in {@code key=value} pairs, if DEBUG is on for the logger {@value #LOGGER}. Keys stand
 * there as they are stored: those that may be credentials are hashes. Nothing is built while DEBUG is off.
 */
public final class DecisionLog implements EnforcementListener {

    /** The name of the logger. */
    public static final String LOGGER = "io.ratelimit.decisions";

    private static final Log LOG = LogFactory.getLog(LOGGER);

    @Override
    public void decided(Enforcement enforcement) {
        if (LOG.isDebugEnabled()) {
            enforcement.charges().forEach(charge -> LOG.debug(line(charge)));
            enforcement.shadowCharges().forEach(charge -> LOG.debug(line(charge)));
        }
    }

    @Override
    public void failed(LimitSpec spec, RuntimeException error) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("name=%s subject=%s outcome=error error=%s"
                    .formatted(
                            quoted(spec.wireName()),
                            quoted(spec.subject()),
                            error.getClass().getSimpleName()));
        }
    }

    private static String line(Charge charge) {
        Decision decision = charge.decision();
        String limits = decision.policy().limits().stream().map(Limit::describe).collect(Collectors.joining(" and "));
        return "name=%s subject=%s key=%s outcome=%s cost=%d remaining=%d retryAfterMicros=%d resetAfterMicros=%d delayMicros=%d counted=%s limits=%s"
                .formatted(
                        quoted(charge.wireName()),
                        quoted(charge.spec().subject()),
                        quoted(charge.key().text()),
                        charge.outcome().name().toLowerCase(Locale.ROOT),
                        decision.cost(),
                        decision.remaining(),
                        decision.retryAfterMicros(),
                        decision.resetAfterMicros(),
                        decision.delayMicros(),
                        decision.counted(),
                        quoted(limits));
    }

    /** Puts a text in quotes if a reader of pairs would not see where it ends. Keys contain no quotes and no controls. */
    private static String quoted(String text) {
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ' ' || c == '=' || c == '"');
        return plain ? text : '"' + text.replace("\"", "\\\"") + '"';
    }
}

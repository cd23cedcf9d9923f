package io.ratelimit.enforcement;

import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.PartitionKey;
import io.ratelimit.expression.RequestRoot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computes the key of a request, and follows {@code ratelimit.missing-key} where there is none. */
final class KeyResolution {

    /** Stands for a key that was missing and leads to a refusal; no expression gives an empty text. */
    static final PartitionKey DENIED = new PartitionKey("", false);

    private final MissingKey missingKey;

    KeyResolution(MissingKey missingKey) {
        this.missingKey = missingKey;
    }

    /** Returns the key, {@link #DENIED}, or {@code null} if the request is not limited. */
    @Nullable
    PartitionKey resolve(LimitSpec spec, EvaluationScope scope) {
        RuntimeException failure = null;
        try {
            Optional<PartitionKey> key = spec.key().evaluate(scope);
            if (key.isPresent()) {
                return key.get();
            }
        } catch (RuntimeException e) {
            failure = e;
        }
        if (failure == null && spec.usesDefaultKey() && scope.request().isEmpty()) {
            return PartitionKey.NO_REQUEST;
        }
        warn(spec, failure);
        return switch (missingKey) {
            case CLIENT_IP -> clientAddress(scope);
            case DENY -> DENIED;
            case SKIP -> null;
        };
    }

    private static PartitionKey clientAddress(EvaluationScope scope) {
        return scope.request()
                .map(RequestRoot::getIp)
                .map(PartitionKey::ofAddress)
                .orElse(PartitionKey.NO_REQUEST);
    }

    private void warn(LimitSpec spec, @Nullable RuntimeException failure) {
        String consequence =
                switch (missingKey) {
                    case CLIENT_IP -> "counted by client address";
                    case DENY -> "refused";
                    case SKIP -> "not limited";
                };
        spec.warning().log(() -> "%s: key '%s' %s, so the request is %s (ratelimit.missing-key)"
                .formatted(
                        spec,
                        spec.keyText(),
                        failure == null ? "gave nothing" : "failed: " + ThrottledWarning.describe(failure),
                        consequence));
    }
}

package io.ratelimit.actuate;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes the number of permits of a limit, and nothing that would make it forget its counts. */
final class LimitChange {

    private LimitChange() {}

    static List<Limit> apply(List<Limit> old, long limit, @Nullable Long burst, int position) {
        if (position < 0 || position >= old.size()) {
            throw new IllegalArgumentException(
                    "position %d does not exist; use a number from 0 to %d".formatted(position, old.size() - 1));
        }
        List<Limit> limits = new ArrayList<>(old);
        limits.set(position, changed(limits.get(position), limit, burst));
        return List.copyOf(limits);
    }

    private static Limit changed(Limit old, long limit, @Nullable Long burst) {
        boolean followed = old.algorithm() != Algorithm.LEAKY_BUCKET && old.burst() == old.limit();
        long kept = followed ? limit : old.burst();
        return new Limit(
                old.algorithm(),
                limit,
                old.windowMicros(),
                burst == null ? kept : burst,
                old.delay(),
                old.nodelay(),
                old.maxDelayMicros());
    }
}

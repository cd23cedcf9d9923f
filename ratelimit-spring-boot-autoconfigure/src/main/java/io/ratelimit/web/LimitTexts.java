package io.ratelimit.web;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What of the headers is the same for every request, written once for each policy. */
final class LimitTexts {

    /** Plans may be made up per call, and policies replaced; then texts are forgotten and written anew. */
    private static final int MAX_CACHED = 1024;

    private static final long SECOND = 1_000_000;

    private final Map<Key, List<LimitText>> cache = new ConcurrentHashMap<>();

    /**
     * One limit on the wire.
     *
     * @param name its name, unquoted
     * @param item its name as a structured field
     * @param policyItem its item of {@code RateLimit-Policy}
     * @param draft03 its quota policy in {@code RateLimit-Limit} of draft 03
     */
    record LimitText(String name, String item, String policyItem, String draft03) {}

    private record Key(String wireName, Policy policy) {}

    List<LimitText> of(String wireName, Policy policy) {
        Key key = new Key(wireName, policy);
        List<LimitText> texts = cache.get(key);
        if (texts == null) {
            texts = write(wireName, policy.limits());
            if (cache.size() >= MAX_CACHED) {
                cache.clear();
            }
            cache.put(key, texts);
        }
        return texts;
    }

    private static List<LimitText> write(String wireName, List<Limit> limits) {
        if (limits.size() == 1) {
            return List.of(write(wireName, limits.get(0)));
        }
        Set<String> taken = new HashSet<>();
        List<LimitText> texts = new ArrayList<>();
        for (Limit limit : limits) {
            String base = wireName + "-" + window(limit.windowMicros());
            String name = base;
            for (int i = 2; !taken.add(name); i++) {
                name = base + "-" + i;
            }
            texts.add(write(name, limit));
        }
        return List.copyOf(texts);
    }

    static LimitText write(String name, Limit limit) {
        String item = StructuredField.string(name);
        StringBuilder quota = new StringBuilder(";q=").append(StructuredField.integer(limit.limit()));
        String seconds = limit.windowMicros() % SECOND == 0 ? ";w=" + limit.windowMicros() / SECOND : "";
        quota.append(seconds);
        if (limit.burst() != limit.limit()) {
            quota.append(";ratelimit-burst=").append(StructuredField.integer(limit.burst()));
        }
        String draft03 = seconds.isEmpty() ? "" : StructuredField.integer(limit.limit()) + seconds;
        return new LimitText(name, item, item + quota, draft03);
    }

    /** Writes a window in the largest unit that has no remainder: 1m, 90s, 1500ms. */
    static String window(long micros) {
        long[] sizes = {86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND, 1_000};
        String[] units = {"d", "h", "m", "s", "ms"};
        for (int i = 0; i < sizes.length; i++) {
            if (micros % sizes[i] == 0) {
                return micros / sizes[i] + units[i];
            }
        }
        return micros + "us";
    }
}

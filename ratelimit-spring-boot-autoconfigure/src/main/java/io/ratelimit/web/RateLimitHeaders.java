package io.ratelimit.web;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes the quota headers of a response, in one or several dialects. */
public final class RateLimitHeaders {

    private static final Comparator<QuotaItem> LEAST_REMAINING_FIRST = Comparator.comparingLong(QuotaItem::remaining);

    private final LimitTexts texts = new LimitTexts();

    private final Set<HeaderDialect> dialects;

    private final List<String> exposed;

    /**
     * Creates the writer.
     *
     * @param dialects the dialects to write; nothing, or only {@link HeaderDialect#NONE}, for no headers
     */
    public RateLimitHeaders(List<HeaderDialect> dialects) {
        this.dialects = EnumSet.noneOf(HeaderDialect.class);
        this.dialects.addAll(dialects);
        List<String> names = new ArrayList<>();
        this.dialects.forEach(dialect -> names.addAll(dialect.headerNames()));
        names.add("Retry-After");
        this.exposed = List.copyOf(names);
    }

    /**
     * Tells whether a name can stand in the headers.
     *
     * @param wireName the name of a policy, a rule or an annotation
     * @return whether it consists of printable ASCII characters only
     */
    public static boolean isValidName(String wireName) {
        return StructuredField.isString(wireName);
    }

    /** {@return the header names that scripts of other origins may read} */
    List<String> exposed() {
        return exposed;
    }

    /** Replaces the quota headers of a response; writes nothing if nothing was counted. */
    void write(HttpServletResponse response, List<Quota> quotas) {
        List<QuotaItem> items = QuotaItem.of(quotas, texts);
        if (items.isEmpty()) {
            return;
        }
        if (dialects.contains(HeaderDialect.IETF)) {
            writeIetf(response, items);
        }
        if (dialects.contains(HeaderDialect.X_RATELIMIT)) {
            writeXRateLimit(response, tightest(items));
        }
        if (dialects.contains(HeaderDialect.DRAFT_03)) {
            writeDraft03(response, items);
        }
    }

    /** {@return the names of the limits that refused, as they stand in the headers} */
    List<String> violated(List<Quota> quotas) {
        return QuotaItem.of(quotas, texts).stream()
                .filter(QuotaItem::refused)
                .map(item -> item.text().name())
                .toList();
    }

    private static void writeIetf(HttpServletResponse response, List<QuotaItem> items) {
        if (items.size() == 1) {
            response.setHeader("RateLimit-Policy", items.get(0).text().policyItem());
            response.setHeader("RateLimit", limit(items.get(0)));
            return;
        }
        StringBuilder policies = new StringBuilder();
        StringBuilder limits = new StringBuilder();
        for (QuotaItem item : items) {
            separate(policies).append(item.text().policyItem());
        }
        List<QuotaItem> sorted = new ArrayList<>(items);
        sorted.sort(LEAST_REMAINING_FIRST);
        for (QuotaItem item : sorted) {
            separate(limits).append(limit(item));
        }
        response.setHeader("RateLimit-Policy", policies.toString());
        response.setHeader("RateLimit", limits.toString());
    }

    private static String limit(QuotaItem item) {
        String name = item.text().item();
        long remaining = StructuredField.integer(item.remaining());
        return item.reset() == Seconds.NONE
                ? name + ";r=" + remaining
                : name + ";r=" + remaining + ";t=" + StructuredField.integer(item.reset());
    }

    private static void writeXRateLimit(HttpServletResponse response, QuotaItem item) {
        response.setHeader("X-RateLimit-Limit", Long.toString(item.limit()));
        response.setHeader("X-RateLimit-Remaining", Long.toString(item.remaining()));
        writeReset(response, "X-RateLimit-Reset", item);
    }

    private static void writeDraft03(HttpServletResponse response, List<QuotaItem> items) {
        QuotaItem tightest = tightest(items);
        StringBuilder limit = new StringBuilder(Long.toString(tightest.limit()));
        for (QuotaItem item : items) {
            if (!item.text().draft03().isEmpty()) {
                limit.append(", ").append(item.text().draft03());
            }
        }
        response.setHeader("RateLimit-Limit", limit.toString());
        response.setHeader("RateLimit-Remaining", Long.toString(tightest.remaining()));
        writeReset(response, "RateLimit-Reset", tightest);
    }

    private static void writeReset(HttpServletResponse response, String name, QuotaItem item) {
        if (item.reset() != Seconds.NONE) {
            response.setHeader(name, Long.toString(item.reset()));
        } else if (response.containsHeader(name)) {
            // Headers may be written again before the response is committed; null removes (since Servlet 6.1).
            response.setHeader(name, null);
        }
    }

    private static QuotaItem tightest(List<QuotaItem> items) {
        QuotaItem tightest = items.get(0);
        for (QuotaItem item : items) {
            if (item.tighterThan(tightest)) {
                tightest = item;
            }
        }
        return tightest;
    }

    private static StringBuilder separate(StringBuilder list) {
        return list.isEmpty() ? list : list.append(", ");
    }
}

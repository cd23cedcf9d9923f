package io.ratelimit.web;

import io.ratelimit.core.LimitStatus;
import io.ratelimit.web.LimitTexts.LimitText;
import java.util.ArrayList;
import java.util.List;

/**
 * One limit in the headers of one response.
 *
 * @param text what is the same for every request
 * @param limit permits per window
 * @param remaining how many further requests would be admitted
 * @param reset seconds until there are more, or {@link Seconds#NONE}
 * @param refused whether this limit refused the request
 */
record QuotaItem(LimitText text, long limit, long remaining, long reset, boolean refused) {

    /**
     * Lists the limits of all policies. Of two equal ones the later has counted both requests and stays; a name that
     * two different limits share is numbered.
     */
    static List<QuotaItem> of(List<Quota> quotas, LimitTexts texts) {
        List<QuotaItem> items = new ArrayList<>(quotas.size());
        boolean refusal = false;
        for (Quota quota : quotas) {
            refusal |= !quota.decision().allowed();
        }
        long retryAfter = refusal ? Seconds.retryAfter(quotas) : Seconds.NONE;
        for (Quota quota : quotas) {
            if (quota.decision().counted()) {
                addAll(items, quota, texts, refusal, retryAfter);
            }
        }
        return items;
    }

    private static void addAll(List<QuotaItem> items, Quota quota, LimitTexts texts, boolean refusal, long retryAfter) {
        List<LimitText> limitTexts = texts.of(quota.wireName(), quota.decision().policy());
        List<LimitStatus> statuses = quota.decision().limits();
        for (int i = 0; i < statuses.size(); i++) {
            LimitStatus status = statuses.get(i);
            long reset = refusal && status.allowed() ? Seconds.NONE : Seconds.resetAfter(status);
            if (refusal && retryAfter != Seconds.NONE) {
                reset = Math.min(reset, retryAfter);
            }
            add(
                    items,
                    new QuotaItem(
                            limitTexts.get(i), status.limit().limit(), status.remaining(), reset, !status.allowed()));
        }
    }

    private static void add(List<QuotaItem> items, QuotaItem item) {
        QuotaItem added = item;
        for (int i = 0, number = 2; i < items.size(); i++) {
            LimitText other = items.get(i).text();
            if (other.equals(added.text())) {
                items.set(i, added);
                return;
            }
            if (other.name().equals(added.text().name())) {
                added = item.numbered(number++);
                i = -1;
            }
        }
        items.add(added);
    }

    private QuotaItem numbered(int number) {
        String item = StructuredField.string(text.name() + "-" + number);
        String parameters = text.policyItem().substring(text.item().length());
        LimitText renamed = new LimitText(text.name() + "-" + number, item, item + parameters, text.draft03());
        return new QuotaItem(renamed, limit, remaining, reset, refused);
    }

    boolean tighterThan(QuotaItem other) {
        if (refused != other.refused) {
            return refused;
        }
        return remaining < other.remaining || remaining == other.remaining && reset > other.reset;
    }
}

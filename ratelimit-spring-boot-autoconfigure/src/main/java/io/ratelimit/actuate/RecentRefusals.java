package io.ratelimit.actuate;

import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import io.ratelimit.expression.PartitionKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers who was refused of late: the last so many refusals in a ring, counted by limit and key only when somebody asks.
 * A refusal costs one step of a counter and one reference, however many keys there are, and nothing is ever forgotten for
 * want of room but the oldest.
 *
 * <p>Rejected: counters for the most frequent keys (space-saving, count-min sketch). They save memory that is small here,
 * cost more for each refusal, and answer "since the start" where operators ask "now".
 */
public final class RecentRefusals implements EnforcementListener {

    private static final int SHOWN = 20;

    private static final int MAX_REMEMBERED = 1_000_000;

    private final TimeSource time;

    private final Names names;

    private final AtomicReferenceArray<@Nullable Refusal> ring;

    private final AtomicLong count = new AtomicLong();

    /**
     * Creates an empty memory.
     *
     * @param time says when refusals happened
     * @param remembered how many refusals are remembered, from 1 to 1,000,000
     * @param names how keys are shown
     * @throws IllegalArgumentException if the number is out of range
     */
    public RecentRefusals(TimeSource time, int remembered, Names names) {
        if (remembered < 1 || remembered > MAX_REMEMBERED) {
            throw new IllegalArgumentException(
                    "refusals %d is out of range; use a number from 1 to %d".formatted(remembered, MAX_REMEMBERED));
        }
        this.time = time;
        this.names = names;
        this.ring = new AtomicReferenceArray<>(remembered);
    }

    /** How keys are shown. */
    public enum Names {
        /** As they are stored; those that may be credentials are hashes there too. */
        CLEAR,
        /** As hashes. */
        HASHED
    }

    /**
     * Who was refused of late.
     *
     * @param total how many refusals there were since the start
     * @param remembered how many of them, the last ones, this summary is about
     * @param since when the first of these happened, in ISO-8601; {@code null} if there is none
     * @param top the limits and keys with most refusals, at most 20
     */
    public record Summary(long total, int remembered, @Nullable String since, List<Top> top) {}

    /**
     * How often a limit refused a key.
     *
     * @param name name of the limit
     * @param key the partition key, as it may be shown
     * @param refusals how often
     * @param last when it did so last, in ISO-8601
     */
    public record Top(String name, String key, int refusals, String last) {}

    private record Refusal(String name, PartitionKey key, long atMicros) {}

    private record Client(String name, PartitionKey key) {}

    private record Tally(int refusals, long lastMicros) {

        Tally plus(Tally other) {
            return new Tally(refusals + other.refusals, Math.max(lastMicros, other.lastMicros));
        }
    }

    @Override
    public void decided(Enforcement enforcement) {
        List<Charge> charges = enforcement.charges();
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (!charge.decision().allowed()) {
                remember(new Refusal(charge.spec().bucket(), charge.key(), time.micros()));
            }
        }
    }

    private void remember(Refusal refusal) {
        ring.set((int) (count.getAndIncrement() % ring.length()), refusal);
    }

    /**
     * Counts the remembered refusals.
     *
     * @return who was refused most
     */
    public Summary summary() {
        Map<Client, Tally> tallies = new HashMap<>();
        int remembered = 0;
        long first = Long.MAX_VALUE;
        for (int i = 0; i < ring.length(); i++) {
            Refusal refusal = ring.get(i);
            if (refusal != null) {
                remembered++;
                first = Math.min(first, refusal.atMicros);
                Client client = new Client(refusal.name, refusal.key);
                tallies.merge(client, new Tally(1, refusal.atMicros), Tally::plus);
            }
        }
        return new Summary(count.get(), remembered, remembered == 0 ? null : instant(first), top(tallies));
    }

    private List<Top> top(Map<Client, Tally> tallies) {
        Comparator<Map.Entry<Client, Tally>> mostFirst = Comparator.comparingInt(entry -> -entry.getValue().refusals);
        return tallies.entrySet().stream()
                .sorted(mostFirst.thenComparingLong(entry -> -entry.getValue().lastMicros))
                .limit(SHOWN)
                .map(entry -> top(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Top top(Client client, Tally tally) {
        String key = names == Names.CLEAR ? client.key.text() : client.key.hidden();
        return new Top(client.name, key, tally.refusals, instant(tally.lastMicros));
    }

    private static String instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}

package io.ratelimit.memory;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.BucketState;
import io.ratelimit.core.Decision;
import io.ratelimit.core.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call for permits of several policies: all states are claimed, then all are charged or none is. */
final class JointAcquisition {

    private static final Comparator<Wish> CANONICAL =
            Comparator.comparing((Wish wish) -> wish.table.name()).thenComparing(wish -> wish.asked.key());

    private static final Comparator<Wish> BY_PLACE =
            Comparator.comparing((Wish wish) -> wish.table.name()).thenComparingInt(Wish::slot);

    private final TimeSource timeSource;

    private final Ruling ruling;

    private final Room room;

    private final Claims claims;

    private final Wish[] wishes;

    /** One acquisition, where it is counted and which permits of that state it asks for, those of earlier ones included. */
    private static final class Wish {

        private final Acquisition asked;

        private final KeyTable table;

        private @Nullable Held held;

        private long permits;

        Wish(Acquisition asked, KeyTable table) {
            this.asked = asked;
            this.table = table;
        }

        int slot() {
            return table.overflow().slot(asked.key());
        }

        Held held() {
            return java.util.Objects.requireNonNull(held);
        }

        boolean sameKey(Wish other) {
            return table == other.table && asked.key().equals(other.asked.key());
        }
    }

    JointAcquisition(List<Acquisition> asked, KeyTables tables, TimeSource timeSource, Ruling ruling, Room room) {
        this.timeSource = timeSource;
        this.ruling = ruling;
        this.room = room;
        this.claims = new Claims(room);
        this.wishes = asked.stream()
                .map(one -> new Wish(one, tables.of(one.policy())))
                .toArray(Wish[]::new);
    }

    List<Decision> decide() {
        try {
            do {
                claims.release();
                claimOwn();
            } while (!claimShared());
            return decideClaimed(timeSource.micros());
        } finally {
            claims.release();
        }
    }

    private void claimOwn() {
        Wish[] ordered = wishes.clone();
        Arrays.sort(ordered, CANONICAL);
        for (int i = 0; i < ordered.length; i++) {
            Wish wish = ordered[i];
            boolean again = i > 0 && wish.sameKey(ordered[i - 1]);
            wish.held =
                    again ? ordered[i - 1].held : claims.claimOwn(wish.table, wish.asked.key(), wish.asked.policy());
        }
    }

    /** Another thread may have found room for a key meanwhile; then its own state is the one to ask. */
    private boolean claimShared() {
        Wish[] sharing = Arrays.stream(wishes).filter(wish -> wish.held == null).toArray(Wish[]::new);
        Arrays.sort(sharing, BY_PLACE);
        for (Wish wish : sharing) {
            wish.held = claims.claimShared(wish.table, wish.asked.key(), wish.asked.policy());
            if (wish.table.get(wish.asked.key()) != null) {
                return false;
            }
        }
        return true;
    }

    private List<Decision> decideClaimed(long now) {
        claims.dropOld(now);
        boolean admitted = true;
        for (int i = 0; i < wishes.length; i++) {
            Wish wish = wishes[i];
            wish.permits = permitsUpTo(i);
            BucketState state = wish.held().under(wish.asked.policy(), now);
            admitted &= wish.asked.cost() == 0 || ruling.admits(state, wish.asked.policy(), wish.permits, now);
        }
        List<Decision> decisions = new ArrayList<>(wishes.length);
        for (Wish wish : wishes) {
            decisions.add(admitted ? charge(wish, now) : report(wish, now));
        }
        return decisions;
    }

    private long permitsUpTo(int position) {
        long sum = 0;
        for (int i = 0; i <= position; i++) {
            if (wishes[i].held == wishes[position].held) {
                sum = Long.MAX_VALUE - sum < wishes[i].asked.cost() ? Long.MAX_VALUE : sum + wishes[i].asked.cost();
            }
        }
        return sum;
    }

    private Decision charge(Wish wish, long now) {
        Acquisition asked = wish.asked;
        BucketState state = wish.held().under(asked.policy(), now);
        if (asked.cost() > 0) {
            wish.held().adopt(state, asked.policy(), room);
        }
        return ruling.charge(
                state,
                asked.policy(),
                asked.key(),
                asked.cost(),
                now,
                wish.held().space(room));
    }

    private Decision report(Wish wish, long now) {
        Acquisition asked = wish.asked;
        BucketState state = wish.held().under(asked.policy(), now);
        long permits = asked.cost() == 0 ? 0 : wish.permits;
        return ruling.report(state, asked.policy(), asked.key(), asked.cost(), permits, now);
    }
}

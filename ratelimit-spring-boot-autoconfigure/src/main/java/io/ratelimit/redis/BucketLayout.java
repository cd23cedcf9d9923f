package io.ratelimit.redis;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the limits of one policy lie in Redis: which script handles them, what the script is told about them, and which of
 * them keep a list of their own. Computed once for each policy.
 *
 * <p>Numbers travel as little-endian doubles, which hold every integer below 2<sup>53</sup> exactly.
 */
final class BucketLayout {

    /** The first byte of a stored value; a value with another one counts as absent. */
    static final byte VERSION = 1;

    /** Bytes of one limit in a stored value: its tag and three numbers. */
    static final int LIMIT_BYTES = 4 * Double.BYTES;

    /** Two of the longest windows: nobody keeps a decision for longer. */
    private static final long MOST_REFUNDABLE_MILLIS = 2 * Limit.MAX_WINDOW_MICROS / 1_000;

    private static final int TAGS_PER_WINDOW = 8;

    /** Stands for a threshold that nothing reaches. */
    private static final BigInteger UNREACHABLE = BigInteger.TWO.pow(50);

    private final Policy policy;

    private final String shape;

    private final byte[] parameters;

    private final List<String> literals;

    private final List<String> logSuffixes;

    private volatile @Nullable Script ownScript;

    BucketLayout(Policy policy) {
        this.policy = policy;
        StringBuilder letters = new StringBuilder();
        List<Double> numbers = new ArrayList<>();
        List<String> suffixes = new ArrayList<>();
        for (Limit limit : policy.limits()) {
            if (limit.algorithm() == Algorithm.SLIDING_LOG) {
                suffixes.add(":%d:%d".formatted(letters.length(), limit.windowMicros()));
            }
            letters.append(letter(limit.algorithm()));
            addParameters(limit, numbers);
        }
        shape = letters.toString();
        parameters = pack(numbers);
        literals = numbers.stream()
                .map(number -> "(%d)".formatted(number.longValue()))
                .toList();
        logSuffixes = List.copyOf(suffixes);
    }

    Policy policy() {
        return policy;
    }

    /** {@return one letter for each limit: F, L, C or B (token and leaky buckets are one)} */
    String shape() {
        return shape;
    }

    /** {@return the limits as the script reads them} */
    byte[] parameters() {
        return parameters;
    }

    /** {@return the same as parts of a script} */
    List<String> literals() {
        return literals;
    }

    /** {@return what to append to the bucket's key for each sliding log, in order} */
    List<String> logSuffixes() {
        return logSuffixes;
    }

    /** {@return whether some limit is kept in the bucket's own value} */
    boolean hasValue() {
        return logSuffixes.size() < shape.length();
    }

    /** {@return the longest time for which something that was charged may be given back} */
    long refundableMillis() {
        double longest = 0;
        for (Limit limit : policy.limits()) {
            double windows =
                    switch (limit.algorithm()) {
                        case FIXED_WINDOW, SLIDING_LOG -> 1;
                        case SLIDING_COUNTER -> 2;
                        case TOKEN_BUCKET, LEAKY_BUCKET -> (limit.burst() + 1.0) / Math.max(1, limit.limit());
                    };
            longest = Math.max(longest, windows * limit.windowMicros());
        }
        return (long) Math.min(longest / 1_000 + 1, MOST_REFUNDABLE_MILLIS);
    }

    /** {@return the script that has these limits in its text, if it was written} */
    @Nullable
    Script ownScript() {
        return ownScript;
    }

    void ownScript(Script script) {
        ownScript = script;
    }

    private static char letter(Algorithm algorithm) {
        return switch (algorithm) {
            case FIXED_WINDOW -> 'F';
            case SLIDING_LOG -> 'L';
            case SLIDING_COUNTER -> 'C';
            case TOKEN_BUCKET, LEAKY_BUCKET -> 'B';
        };
    }

    private static void addParameters(Limit limit, List<Double> numbers) {
        numbers.add((double)
                (limit.windowMicros() * TAGS_PER_WINDOW + limit.algorithm().ordinal() + 1));
        numbers.add((double) limit.windowMicros());
        numbers.add((double) limit.limit());
        if (letter(limit.algorithm()) == 'B') {
            boolean token = limit.algorithm() == Algorithm.TOKEN_BUCKET;
            BigInteger[] threshold = threshold(limit);
            numbers.add(threshold[0].doubleValue());
            numbers.add(threshold[1].doubleValue());
            numbers.add(token ? (double) limit.burst() : UNREACHABLE.doubleValue());
        }
    }

    /**
     * Returns the most that may be owed before a request of cost 1 is admitted, as whole permits and a remainder in 1/W: for
     * the token bucket B - 1 permits, for the leaky bucket the queue or what drains in delay plus max-delay, if less.
     */
    private static BigInteger[] threshold(Limit limit) {
        BigInteger window = BigInteger.valueOf(limit.windowMicros());
        if (limit.limit() == 0) {
            return new BigInteger[] {BigInteger.ONE.negate(), BigInteger.ZERO};
        }
        if (limit.algorithm() == Algorithm.TOKEN_BUCKET) {
            return new BigInteger[] {BigInteger.valueOf(limit.burst() - 1), BigInteger.ZERO};
        }
        BigInteger units = BigInteger.valueOf(limit.burst()).multiply(window);
        if (!limit.nodelay() && limit.maxDelayMicros() != Limit.UNBOUNDED) {
            BigInteger waiting = BigInteger.valueOf(limit.maxDelayMicros()).multiply(BigInteger.valueOf(limit.limit()));
            units = units.min(BigInteger.valueOf(limit.delay()).multiply(window).add(waiting));
        }
        return units.divideAndRemainder(window);
    }

    private static byte[] pack(List<Double> numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.size() * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.forEach(buffer::putDouble);
        return buffer.array();
    }
}

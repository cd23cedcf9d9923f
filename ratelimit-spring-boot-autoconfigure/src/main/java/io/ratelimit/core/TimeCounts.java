package io.ratelimit.core;

import java.util.Arrays;

/** A queue of times in rising order, each with a positive count: a ring of pairs that grows and shrinks by halves. */
final class TimeCounts {

    private static final int SMALLEST = 2;

    private long[] times = new long[SMALLEST];

    private long[] counts = new long[SMALLEST];

    private int head;

    private int size;

    private long total;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The sum of all counts. */
    long total() {
        return total;
    }

    /** The latest time; there must be one. */
    long latestTime() {
        return times[slot(size - 1)];
    }

    /** Adds a count at a time that is not before the latest. */
    void append(long time, long count) {
        if (size == 0 || latestTime() != time) {
            if (size == times.length) {
                resize(2 * size);
            }
            times[slot(size)] = time;
            counts[slot(size)] = 0;
            size++;
        }
        counts[slot(size - 1)] += count;
        total += count;
    }

    /** Moves the latest entry, of which there must be one, to a time that is not before it. */
    void moveLatest(long time) {
        times[slot(size - 1)] = time;
    }

    void dropBefore(long time) {
        while (size > 0 && times[head] < time) {
            total -= counts[head];
            head = slot(1);
            size--;
        }
        if (times.length > SMALLEST && size <= times.length / 4) {
            resize(times.length / 2);
        }
    }

    /** The sum of the counts before a time. */
    long countBefore(long time) {
        long count = 0;
        for (int i = 0; i < size && times[slot(i)] < time; i++) {
            count += counts[slot(i)];
        }
        return count;
    }

    /** The time of the n-th unit in order of time, counted from 1; there must be as many. */
    long timeOf(long n) {
        int index = 0;
        for (long seen = counts[head]; seen < n; seen += counts[slot(index)]) {
            index++;
        }
        return times[slot(index)];
    }

    /** Subtracts up to so much from the first entry that is not before the time. */
    void take(long time, long count) {
        int index = firstNotBefore(time);
        if (index == size) {
            return;
        }
        long taken = Math.min(count, counts[slot(index)]);
        counts[slot(index)] -= taken;
        total -= taken;
        if (counts[slot(index)] == 0) {
            remove(index);
        }
    }

    void clear() {
        head = 0;
        size = 0;
        total = 0;
    }

    TimeCounts copy() {
        TimeCounts copy = new TimeCounts();
        copy.times = times.clone();
        copy.counts = counts.clone();
        copy.head = head;
        copy.size = size;
        copy.total = total;
        return copy;
    }

    private int firstNotBefore(long time) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[slot(middle)] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void remove(int index) {
        for (int i = index; i > 0; i--) {
            times[slot(i)] = times[slot(i - 1)];
            counts[slot(i)] = counts[slot(i - 1)];
        }
        head = slot(1);
        size--;
    }

    private int slot(int index) {
        return (head + index) & (times.length - 1);
    }

    private void resize(int length) {
        times = unrolled(times, length);
        counts = unrolled(counts, length);
        head = 0;
    }

    private long[] unrolled(long[] ring, int length) {
        int untilEnd = Math.min(size, ring.length - head);
        long[] result = Arrays.copyOfRange(ring, head, head + length);
        Arrays.fill(result, untilEnd, length, 0);
        System.arraycopy(ring, 0, result, untilEnd, size - untilEnd);
        return result;
    }
}

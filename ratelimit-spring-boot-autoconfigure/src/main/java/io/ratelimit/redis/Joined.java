package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The buckets of one call, each of them once: who asks for one twice asks it for the sum, so that all or nothing is decided
 * there as for anybody else, and what is said of both is true of both.
 *
 * @param buckets the different ones
 * @param places for each acquisition of the call, where its bucket is among those and what is asked of it before
 */
record Joined(List<Bucket> buckets, List<Place> places) {

    /**
     * One acquisition.
     *
     * @param position of its bucket
     * @param before permits that earlier acquisitions of the call ask of that bucket
     * @param alone whether no other acquisition asks it
     */
    record Place(int position, long before, boolean alone) {}

    /** Joins what asks for the same bucket with the same limits. */
    static Joined of(List<Bucket> asked) {
        List<Bucket> buckets = new ArrayList<>();
        Map<List<Object>, Integer> positions = new LinkedHashMap<>();
        List<Place> places = new ArrayList<>(asked.size());
        for (Bucket bucket : asked) {
            Integer known = positions.putIfAbsent(List.of(bucket.name(), bucket.policy()), buckets.size());
            if (known == null) {
                places.add(new Place(buckets.size(), 0, true));
                buckets.add(bucket);
            } else {
                Bucket earlier = buckets.get(known);
                places.add(new Place(known, earlier.asked().cost(), false));
                buckets.set(known, sum(earlier, bucket.asked()));
            }
        }
        return new Joined(
                buckets, places.stream().map(place -> shared(place, places)).toList());
    }

    /** Adds costs; a sum that is too large for anything stays so. */
    static long sum(long some, long more) {
        return Long.MAX_VALUE - some < more ? Long.MAX_VALUE : some + more;
    }

    private static Place shared(Place place, List<Place> all) {
        long sharing =
                all.stream().filter(other -> other.position == place.position).count();
        return new Place(place.position, place.before, sharing == 1);
    }

    private static Bucket sum(Bucket earlier, Acquisition more) {
        Acquisition asked = earlier.asked();
        return new Bucket(
                new Acquisition(asked.policy(), asked.key(), sum(asked.cost(), more.cost()), asked.mode()),
                earlier.name(),
                earlier.layout(),
                earlier.sent());
    }
}

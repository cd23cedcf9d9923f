package io.ratelimit.enforcement;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** All limits of the application, and the names of their buckets: one name means one set of limits everywhere. */
public final class LimitRegistry {

    private volatile Contents contents = new Contents(new ConcurrentHashMap<>(), new CopyOnWriteArrayList<>());

    private record Contents(Map<String, LimitSpec> firstByBucket, List<LimitSpec> specs) {}

    /** {@return every limit that was declared so far} */
    public List<LimitSpec> specs() {
        return List.copyOf(contents.specs);
    }

    /**
     * Finds the limits of a bucket.
     *
     * @param bucket its name
     * @return all places that share it; empty if there is no such bucket
     */
    public List<LimitSpec> specs(String bucket) {
        return contents.specs.stream()
                .filter(spec -> spec.bucket().equals(bucket))
                .toList();
    }

    /** Takes over the limits of another registry; both change together from now on. */
    void adopt(LimitRegistry successor) {
        contents = successor.contents;
    }

    void add(LimitSpec spec) {
        Contents current = contents;
        LimitSpec first = current.firstByBucket.putIfAbsent(spec.bucket(), spec);
        if (first != null && !first.policy().identity().equals(spec.policy().identity())) {
            throw new RateLimitConfigurationException(
                    spec.subject(),
                    "name '%s' is already used by %s with other limits".formatted(spec.bucket(), first.subject()),
                    "give both the same limits, or one of them another name");
        }
        current.specs.add(spec);
    }
}

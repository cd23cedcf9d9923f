package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** All limits of the application, and the names of their buckets: one name means one set of limits everywhere. */
public final class LimitRegistry {

    private final Map<String, LimitSpec> firstByBucket = new ConcurrentHashMap<>();

    private final List<LimitSpec> specs = new CopyOnWriteArrayList<>();

    /** {@return every limit that was declared so far} */
    public List<LimitSpec> specs() {
        return List.copyOf(specs);
    }

    /**
     * Finds the limits of a bucket.
     *
     * @param bucket its name
     * @return all places that share it; empty if there is no such bucket
     */
    public List<LimitSpec> specs(String bucket) {
        return specs.stream().filter(spec -> spec.bucket().equals(bucket)).toList();
    }

    /**
     * Changes the inline limits of a bucket while the application runs. What is used up carries over where the limits
     * count alike. Limits from a policy are changed through {@link PolicyRegistry#replace}.
     *
     * @param bucket its name
     * @param limits the new limits
     * @return whether the bucket exists and has inline limits
     */
    public boolean change(String bucket, List<Limit> limits) {
        PolicyDefinition definition = PolicyDefinition.of(new Policy(bucket, limits, null));
        List<PolicySource.Inline> sources = specs(bucket).stream()
                .map(LimitSpec::policy)
                .flatMap(source -> source instanceof PolicySource.Inline inline ? Stream.of(inline) : Stream.empty())
                .toList();
        sources.forEach(source -> source.change(definition));
        return !sources.isEmpty();
    }

    void add(LimitSpec spec) {
        LimitSpec first = firstByBucket.putIfAbsent(spec.bucket(), spec);
        if (first != null && !first.policy().identity().equals(spec.policy().identity())) {
            throw new RateLimitConfigurationException(
                    spec.subject(),
                    "name '%s' is already used by %s with other limits".formatted(spec.bucket(), first.subject()),
                    "give both the same limits, or one of them another name");
        }
        specs.add(spec);
    }
}

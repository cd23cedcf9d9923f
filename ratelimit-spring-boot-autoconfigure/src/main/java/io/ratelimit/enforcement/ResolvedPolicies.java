package io.ratelimit.enforcement;

import io.ratelimit.core.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what the application's resolvers answered. Nobody waits for an answer that another thread fetches: an old
 * one is used meanwhile, and where there is none several threads may ask at once.
 */
final class ResolvedPolicies {

    static final long MAX_AGE_MICROS = 60_000_000;

    private static final int MAX_ENTRIES = 10_000;

    private final List<PolicyResolver> resolvers;

    private final TimeSource time;

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Counts how often everything was forgotten: an answer to a question of before is not kept. */
    private final AtomicLong generation = new AtomicLong();

    private final ThrottledWarning warning = new ThrottledWarning(ResolvedPolicies.class);

    ResolvedPolicies(List<PolicyResolver> resolvers, TimeSource time) {
        this.resolvers = List.copyOf(resolvers);
        this.time = time;
    }

    private record Answer(Optional<PolicyDefinition> definition, long atMicros, AtomicBoolean refreshing) {}

    Optional<PolicyDefinition> find(String name) {
        if (resolvers.isEmpty()) {
            return Optional.empty();
        }
        Answer answer = answers.get(name);
        if (answer != null && (isFresh(answer) || !answer.refreshing.compareAndSet(false, true))) {
            return answer.definition;
        }
        return ask(name, answer);
    }

    void forget() {
        generation.incrementAndGet();
        answers.clear();
    }

    private boolean isFresh(Answer answer) {
        return Math.abs(time.micros() - answer.atMicros) < MAX_AGE_MICROS;
    }

    private Optional<PolicyDefinition> ask(String name, @Nullable Answer old) {
        long asked = generation.get();
        Optional<PolicyDefinition> definition;
        try {
            definition = resolve(name);
        } catch (RuntimeException e) {
            if (old == null) {
                throw e;
            }
            warning.log(() -> "policy '%s' could not be resolved again; its last limits stay".formatted(name), e);
            definition = old.definition;
        }
        if (answers.size() >= MAX_ENTRIES) {
            answers.clear();
        }
        Answer answer = new Answer(definition, time.micros(), new AtomicBoolean());
        answers.put(name, answer);
        if (generation.get() != asked) {
            answers.remove(name, answer);
        }
        return definition;
    }

    private Optional<PolicyDefinition> resolve(String name) {
        for (PolicyResolver resolver : resolvers) {
            Optional<PolicyDefinition> definition = resolver.define(name);
            if (definition.isPresent()) {
                return definition;
            }
        }
        return Optional.empty();
    }
}

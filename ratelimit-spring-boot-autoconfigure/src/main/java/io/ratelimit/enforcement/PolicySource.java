package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.PolicyExpression;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a limit has its policy from. Each choice is prepared once and kept until its origin changes. */
abstract sealed class PolicySource {

    private final Function<PolicyDefinition, ChosenPolicy> prepare;

    private PolicySource(Function<PolicyDefinition, ChosenPolicy> prepare) {
        this.prepare = prepare;
    }

    abstract ChosenPolicy choose(EvaluationScope scope);

    /** Returns the policy if it is the same for every request, else {@code null}. */
    abstract @Nullable ChosenPolicy fixed();

    /** Tells whether a failure to choose is to be put down to what the client sent. */
    boolean blamesClient(RuntimeException failure) {
        return false;
    }

    /** Returns the policy's name, or the template that chooses one, as it was written; {@code null} for inline limits. */
    abstract @Nullable String written();

    /** Describes the source so that equal limits have equal descriptions. */
    abstract Object identity();

    ChosenPolicy prepare(@Nullable ChosenPolicy cached, PolicyDefinition origin) {
        return cached != null && cached.origin() == origin ? cached : prepare.apply(origin);
    }

    /** Limits that stand where they are used. */
    static final class Inline extends PolicySource {

        private final ChosenPolicy chosen;

        Inline(PolicyDefinition definition, Function<PolicyDefinition, ChosenPolicy> prepare) {
            super(prepare);
            this.chosen = prepare.apply(definition);
        }

        @Override
        ChosenPolicy choose(EvaluationScope scope) {
            return chosen;
        }

        @Override
        ChosenPolicy fixed() {
            return chosen;
        }

        @Override
        @Nullable
        String written() {
            return null;
        }

        @Override
        List<Limit> identity() {
            return chosen.policy().limits();
        }
    }

    /** A policy of the registry. Once it is gone, requests that meet this limit still meet its last one. */
    static final class Named extends PolicySource {

        private final PolicyRegistry policies;

        private final String name;

        private volatile ChosenPolicy chosen;

        Named(PolicyRegistry policies, String name, Function<PolicyDefinition, ChosenPolicy> prepare) {
            super(prepare);
            this.policies = policies;
            this.name = name;
            this.chosen = prepare.apply(policies.require(name));
        }

        @Override
        ChosenPolicy choose(EvaluationScope scope) {
            return fixed();
        }

        @Override
        ChosenPolicy fixed() {
            ChosenPolicy cached = chosen;
            PolicyDefinition definition = policies.get(name);
            if (definition == null) {
                return cached;
            }
            ChosenPolicy current = prepare(cached, definition);
            if (current != cached) {
                chosen = current;
            }
            return current;
        }

        @Override
        String written() {
            return name;
        }

        @Override
        List<Limit> identity() {
            return fixed().policy().limits();
        }
    }

    /** A policy of the registry that an expression chooses for each request. */
    static final class Template extends PolicySource {

        private static final int MAX_CACHED = 1_000;

        private final PolicyRegistry policies;

        private final PolicyExpression expression;

        private final Map<String, ChosenPolicy> prepared = new ConcurrentHashMap<>();

        Template(
                PolicyRegistry policies,
                PolicyExpression expression,
                Function<PolicyDefinition, ChosenPolicy> prepare) {
            super(prepare);
            this.policies = policies;
            this.expression = expression;
        }

        @Override
        ChosenPolicy choose(EvaluationScope scope) {
            String name = expression.evaluate(scope);
            ChosenPolicy cached = prepared.get(name);
            ChosenPolicy current = prepare(cached, definition(name));
            if (current != cached) {
                if (prepared.size() >= MAX_CACHED) {
                    prepared.clear();
                }
                prepared.put(name, current);
            }
            return current;
        }

        private PolicyDefinition definition(String name) {
            return policies.find(name).orElseThrow(() -> expression.unknown(name, policies.names()));
        }

        @Override
        @Nullable
        ChosenPolicy fixed() {
            return null;
        }

        @Override
        boolean blamesClient(RuntimeException failure) {
            return expression.blamesClient(failure);
        }

        @Override
        String written() {
            return expression.text();
        }

        @Override
        String identity() {
            return expression.text();
        }
    }
}

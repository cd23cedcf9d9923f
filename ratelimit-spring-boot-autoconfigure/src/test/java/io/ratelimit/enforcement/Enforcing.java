package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.expression.ExpressionCompiler;
import io.ratelimit.expression.RequestRoot;
import io.ratelimit.memory.MemoryBackend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** The enforcement room with a memory backend and a clock that stands still. */
public final class Enforcing {

    public final ManualTimeSource time = new ManualTimeSource(1_000_000_000);

    public final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    public final LimitRegistry registry = new LimitRegistry();

    public final Map<String, PolicyDefinition> policies = new LinkedHashMap<>();

    public final List<PolicyResolver> resolvers = new ArrayList<>();

    public final List<EnforcementListener> listeners = new ArrayList<>();

    public final WaitingRoom waitingRoom;

    public MissingKey missingKey = MissingKey.CLIENT_IP;

    public LimitSpecFactory.Mode mode = LimitSpecFactory.Mode.ENFORCE;

    public RequestLedger ledger;

    private final MemoryBackend backend = new MemoryBackend(time, 100_000);

    private PolicyRegistry policyRegistry;

    public Enforcing() {
        this(1_000);
    }

    public Enforcing(int maxWaiting) {
        this.waitingRoom = new WaitingRoom(maxWaiting);
    }

    public Enforcing policy(String name, Limit... limits) {
        policies.put(name, PolicyDefinition.of(Policy.of(name, limits)));
        return this;
    }

    public PolicyRegistry policyRegistry() {
        if (policyRegistry == null) {
            policyRegistry = new PolicyRegistry(policies, resolvers, time);
        }
        return policyRegistry;
    }

    public LimitSpecFactory factory() {
        ExpressionCompiler compiler = new ExpressionCompiler(beans, getClass().getClassLoader());
        return new LimitSpecFactory(policyRegistry(), registry, compiler, LimitSpecFactory.DEFAULT_KEY, mode);
    }

    public RateLimiter limiter() {
        return new PolicyRateLimiter(policyRegistry(), backend);
    }

    public Enforcer enforcer() {
        return new Enforcer(limiter(), missingKey, waitingRoom, () -> java.util.Optional.ofNullable(ledger), listeners);
    }

    public LimitSpec rule(String name, LimitText limit) {
        return factory().create(LimitDeclaration.ofRule(name).limit(limit));
    }

    public Enforcement enforce(RequestRoot request, LimitSpec... specs) {
        return enforcer().enforce(List.of(specs), EvaluationScope.ofRequest(request));
    }

    public Enforcement call(LimitSpec... specs) {
        return enforcer()
                .enforce(
                        List.of(specs),
                        EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none()));
    }
}

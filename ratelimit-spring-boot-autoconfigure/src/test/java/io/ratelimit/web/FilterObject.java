package io.ratelimit.web;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitRegistry;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.MissingKey;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.PolicyDefinition;
import io.ratelimit.enforcement.PolicyRateLimiter;
import io.ratelimit.enforcement.PolicyRegistry;
import io.ratelimit.enforcement.WaitingRoom;
import io.ratelimit.expression.ExpressionCompiler;
import io.ratelimit.memory.MemoryBackend;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/** The filter itself with a memory backend and no server: for millions of requests. */
final class FilterObject implements AutoCloseable {

    final ManualTimeSource time = new ManualTimeSource(1_000_000_000_000L);

    final MemoryBackend backend;

    /** Runs between the phases of each request, where Spring Security would. */
    Runnable security = () -> {};

    private final PathRules rules;

    private final PolicyRegistry policies;

    private final FilterChain application;

    private final RateLimitFilter before;

    private final RateLimitFilter after;

    private final GenericApplicationContext context = new GenericApplicationContext();

    /** A rule for some paths. */
    record Rule(LimitDeclaration declaration, String... paths) {}

    FilterObject(
            int maxKeys,
            ClientAddress.Settings clientIp,
            FilterChain application,
            List<Policy> policies,
            Rule... rules) {
        this.application = application;
        this.backend = new MemoryBackend(time, maxKeys);
        context.refresh();
        Map<String, PolicyDefinition> definitions = new LinkedHashMap<>();
        policies.forEach(policy -> definitions.put(policy.name(), PolicyDefinition.of(policy)));
        this.policies = new PolicyRegistry(definitions, List.of(), (TimeSource) time);
        this.rules = parse(rules);
        Enforcer enforcer = new Enforcer(
                new PolicyRateLimiter(this.policies, backend),
                MissingKey.CLIENT_IP,
                new WaitingRoom(1_000),
                Optional::empty,
                List.of());
        this.before = filter(Phase.BEFORE_SECURITY, enforcer, new ClientAddress(clientIp));
        this.after = filter(Phase.AFTER_SECURITY, enforcer, new ClientAddress(clientIp));
    }

    private PathRules parse(Rule... declared) {
        LimitSpecFactory factory = new LimitSpecFactory(
                policies,
                new LimitRegistry(),
                new ExpressionCompiler(context, getClass().getClassLoader()),
                LimitSpecFactory.DEFAULT_KEY,
                LimitSpecFactory.Mode.ENFORCE);
        List<PathRule> pathRules = new ArrayList<>();
        for (Rule rule : declared) {
            pathRules.add(new PathRule(factory.create(rule.declaration()), List.of(rule.paths()), List.of(), Set.of()));
        }
        return PathRules.of(pathRules, PathPatternParser.defaultInstance);
    }

    /** Puts other rules into force. */
    void change(Rule... changed) {
        rules.adopt(parse(changed));
    }

    private RateLimitFilter filter(Phase phase, Enforcer enforcer, ClientAddress clientAddress) {
        RateLimitHeaders headers = new RateLimitHeaders(List.of(HeaderDialect.IETF));
        RejectionWriter writer = new RejectionWriter(headers, context);
        return new RateLimitFilter(
                phase, rules, enforcer, clientAddress, headers, new FilterRejections(context, headers, writer));
    }

    MockHttpServletResponse send(MockHttpServletRequest request) throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        chain(request, response);
        return response;
    }

    void chain(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        before.doFilter(request, response, (passed, answer) -> {
            security.run();
            after.doFilter(passed, answer, application);
        });
    }

    @Override
    public void close() {
        backend.close();
        context.close();
    }
}

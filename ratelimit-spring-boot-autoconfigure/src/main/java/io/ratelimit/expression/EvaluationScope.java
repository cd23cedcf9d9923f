package io.ratelimit.expression;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What expressions are evaluated against: a request, the arguments of a call, or both. Belongs to one request or call. */
public final class EvaluationScope {

    private static final Object[] NO_ARGUMENTS = {};

    private final CallParameters parameters;

    private final @Nullable Object[] arguments;

    private final boolean call;

    private @Nullable CurrentRequest source;

    private @Nullable RequestRoot request;

    private EvaluationScope(
            CallParameters parameters,
            @Nullable Object[] arguments,
            boolean call,
            @Nullable CurrentRequest source,
            @Nullable RequestRoot request) {
        this.parameters = parameters;
        this.arguments = arguments;
        this.call = call;
        this.source = source;
        this.request = request;
    }

    /**
     * Creates the scope of a rule.
     *
     * @param request the request that the rule matched
     * @return the scope
     */
    public static EvaluationScope ofRequest(RequestRoot request) {
        return new EvaluationScope(CallParameters.none(), NO_ARGUMENTS, false, null, request);
    }

    /**
     * Creates the scope of a method call.
     *
     * @param parameters the names of the arguments
     * @param arguments the arguments, not copied
     * @param currentRequest asked for the request when an expression first needs it
     * @return the scope
     */
    public static EvaluationScope ofCall(
            CallParameters parameters, @Nullable Object[] arguments, CurrentRequest currentRequest) {
        return new EvaluationScope(parameters, arguments, true, currentRequest, null);
    }

    /** {@return whether a method call is evaluated, and not a request before it reaches one} */
    public boolean isCall() {
        return call;
    }

    /** {@return the request; empty outside one} */
    public Optional<RequestRoot> request() {
        return Optional.ofNullable(requestOrNull());
    }

    /**
     * Looks up the request now, on the thread that handles it, so that this scope may be used on another one.
     *
     * @return this scope
     */
    public EvaluationScope capture() {
        requestOrNull();
        return this;
    }

    @Nullable
    RequestRoot requestOrNull() {
        CurrentRequest pending = source;
        if (pending != null) {
            source = null;
            request = pending.get().orElse(null);
        }
        return request;
    }

    /** Returns the argument of a name if {@link CallParameters#has(String)} it, else {@code null}. */
    @Nullable
    Object argument(String name) {
        int position = parameters.position(name);
        return position < 0 ? null : arguments[position];
    }

    boolean hasArgument(String name) {
        return parameters.has(name);
    }
}

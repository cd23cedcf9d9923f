package io.ratelimit.actuate;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The operations of {@link RateLimitEndpoint} over HTTP. A refused change is a 400 and an unknown name a 404 whose body says
 * why; Spring Boot by itself would hide the message.
 */
@EndpointWebExtension(endpoint = RateLimitEndpoint.class)
public final class RateLimitEndpointWebExtension {

    private final RateLimitEndpoint endpoint;

    /**
     * Creates the extension.
     *
     * @param endpoint does the work
     */
    public RateLimitEndpointWebExtension(RateLimitEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * See {@link RateLimitEndpoint#state}.
     *
     * @param name name of a rule, a limited method or a policy
     * @param key the partition key as it is stored
     * @return the state of its limits, or status 404
     */
    @ReadOperation
    public WebEndpointResponse<?> state(@Selector String name, @Selector String key) {
        return found(name, endpoint.state(name, key));
    }

    /**
     * See {@link RateLimitEndpoint#reset}.
     *
     * @param name name of a rule, a limited method or a policy
     * @param key the partition key as it is stored
     * @return the state afterwards, or status 404
     */
    @DeleteOperation
    public WebEndpointResponse<?> reset(@Selector String name, @Selector String key) {
        return found(name, endpoint.reset(name, key));
    }

    /**
     * See {@link RateLimitEndpoint#reload()}.
     *
     * @return what has changed, or status 400
     */
    @WriteOperation
    public WebEndpointResponse<?> reload() {
        return answer(endpoint::reload);
    }

    /**
     * See {@link RateLimitEndpoint#change}.
     *
     * @param name name of a policy, or of a rule or limited method with limits of its own
     * @param limit the new number of permits per window
     * @param burst the new burst; {@code null} to keep it
     * @param position which limit of several, from 0; {@code null} for the first
     * @return the limits from now on, or status 400
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3.5 knows optional parameters by this annotation alone.
    public WebEndpointResponse<?> change(
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String limit,
            @org.springframework.lang.Nullable @Nullable String burst,
            @org.springframework.lang.Nullable @Nullable String position) {
        return answer(() -> {
            Long newLimit = number("limit", limit, Long::valueOf);
            if (newLimit == null) {
                throw refused("limit is missing; send a body such as {\"limit\": 100}");
            }
            return endpoint.change(
                    name,
                    newLimit,
                    number("burst", burst, Long::valueOf),
                    number("position", position, Integer::valueOf));
        });
    }

    private static WebEndpointResponse<?> found(String name, LimitReport.@Nullable State state) {
        return state != null
                ? new WebEndpointResponse<>(state)
                : new WebEndpointResponse<>(
                        new LimitReport.Problem(
                                "'%s' is unknown: no rule, method or policy has this name; see GET ratelimit"
                                        .formatted(name)),
                        WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<?> answer(Supplier<?> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (InvalidEndpointRequestException e) {
            return new WebEndpointResponse<>(
                    new LimitReport.Problem(e.getReason()), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static <N> @Nullable N number(String attribute, @Nullable String text, Function<String, N> reader) {
        try {
            return text == null ? null : reader.apply(text.trim());
        } catch (NumberFormatException e) {
            throw refused("%s '%s' is no whole number; use digits only".formatted(attribute, text));
        }
    }

    private static InvalidEndpointRequestException refused(String message) {
        return new InvalidEndpointRequestException(message, message);
    }
}

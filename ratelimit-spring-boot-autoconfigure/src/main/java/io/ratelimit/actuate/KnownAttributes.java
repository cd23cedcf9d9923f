package io.ratelimit.actuate;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Refuses changes of {@link RateLimitEndpoint} with an attribute that does not exist, which Spring Boot would ignore: a
 * misspelled burst, or a limit without the name of what it limits.
 */
public final class KnownAttributes implements OperationInvokerAdvisor {

    private static final EndpointId ENDPOINT = EndpointId.of("ratelimit");

    /** Such parameters are the framework's own, for example {@code _csrf}. */
    private static final String FRAMEWORK_PREFIX = "_";

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (type != OperationType.WRITE || !endpoint.equals(ENDPOINT)) {
            return invoker;
        }
        List<String> known =
                parameters.stream().map(OperationParameter::getName).toList();
        return context -> {
            Set<String> unknown = unknown(context.getArguments().keySet(), known);
            return unknown.isEmpty() ? invoker.invoke(context) : refused(unknown, known.isEmpty());
        };
    }

    private static Set<String> unknown(Set<String> given, List<String> known) {
        return given.stream()
                .filter(name -> !known.contains(name) && !name.startsWith(FRAMEWORK_PREFIX))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static WebEndpointResponse<LimitReport.Problem> refused(Set<String> unknown, boolean reload) {
        String remedy = reload
                ? "post it to ratelimit/{name} to change one limit, or post nothing to read the environment again"
                : "use limit, burst or position";
        String problem = "every limit stays as it is: '%s' is no attribute of this operation; %s"
                .formatted(String.join("', '", unknown), remedy);
        return new WebEndpointResponse<>(new LimitReport.Problem(problem), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}

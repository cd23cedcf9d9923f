package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.servlet.HandlerMapping;

/** Finds {@code @ExceptionHandler} methods that are declared for the refusal itself, not for a supertype. */
final class DeclaredHandlers {

    private final HttpServletRequest request;

    private final Class<? extends Exception> rejection;

    private final List<MediaType> accepted;

    private DeclaredHandlers(
            HttpServletRequest request, Class<? extends Exception> rejection, List<MediaType> accepted) {
        this.request = request;
        this.rejection = rejection;
        this.accepted = accepted;
    }

    static DeclaredHandlers forRequest(HttpServletRequest request, Class<? extends Exception> rejection) {
        return new DeclaredHandlers(request, rejection, accepted(request));
    }

    /** {@return whether a controller or an advice handles refusals, as such or as one of their supertypes} */
    static boolean mayExist(ExceptionHandlerMethodResolver handlers) {
        return handlers.resolveMethodByExceptionType(RateLimitExceededException.class) != null;
    }

    Optional<Method> find(ExceptionHandlerMethodResolver handlers) {
        for (MediaType mediaType : accepted) {
            ExceptionHandlerMappingInfo mapping = handlers.resolveExceptionMappingByExceptionType(rejection, mediaType);
            if (mapping != null && isDeclared(mapping.getHandlerMethod())) {
                Set<MediaType> producible = mapping.getProducibleTypes();
                if (!producible.isEmpty()) {
                    request.setAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE, producible);
                }
                return Optional.of(mapping.getHandlerMethod());
            }
        }
        return Optional.empty();
    }

    private static boolean isDeclared(Method method) {
        ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
        Stream<Class<?>> declared = annotation == null || annotation.value().length == 0
                ? Stream.of(method.getParameterTypes())
                : Stream.of(annotation.value());
        return declared.anyMatch(RateLimitExceededException.class::isAssignableFrom);
    }

    private static List<MediaType> accepted(HttpServletRequest request) {
        List<MediaType> accepted = new ArrayList<>();
        String header = request.getHeader(HttpHeaders.ACCEPT);
        if (header != null) {
            try {
                accepted.addAll(MediaType.parseMediaTypes(header));
            } catch (InvalidMediaTypeException unreadable) {
                // Whoever sends this gets the answer for everybody.
            }
        }
        accepted.add(MediaType.ALL);
        return accepted;
    }
}

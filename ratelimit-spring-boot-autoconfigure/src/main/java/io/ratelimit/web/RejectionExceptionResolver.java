package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.MessageSource;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.handler.AbstractHandlerMethodMapping;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * Answers {@link RateLimitExceededException} before anybody else does: with the application's {@code @ExceptionHandler}
 * if one is declared for exactly this exception (or a subtype), in the controller or in an advice; else with the
 * {@link RejectionWriter}. Handlers for its supertypes, such as {@code Exception}, are passed over: Spring itself would
 * take the first advice with any match, and the 429 would become their 500.
 */
public final class RejectionExceptionResolver extends ExceptionHandlerExceptionResolver
        implements SmartInitializingSingleton {

    private static final String APPLICATION_RESOLVER = "handlerExceptionResolver";

    private final RejectionWriter writer;

    private final Map<Class<?>, ExceptionHandlerMethodResolver> controllers = new ConcurrentHashMap<>();

    private volatile @Nullable Boolean applicationHandlers;

    /**
     * Creates the resolver.
     *
     * @param writer writes the answer if no handler of the application does
     */
    public RejectionExceptionResolver(RejectionWriter writer) {
        this.writer = writer;
        setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
    }

    /** Takes over what arguments and return values the application's own exception handlers may have. */
    @Override
    public void afterSingletonsInstantiated() {
        ApplicationContext context = getApplicationContext();
        if (context == null || !context.containsBean(APPLICATION_RESOLVER)) {
            return;
        }
        Object bean = context.getBean(APPLICATION_RESOLVER);
        if (!(bean instanceof HandlerExceptionResolverComposite composite)) {
            return;
        }
        for (HandlerExceptionResolver resolver : composite.getExceptionResolvers()) {
            if (resolver instanceof ExceptionHandlerExceptionResolver original) {
                copy(original);
                return;
            }
        }
    }

    private void copy(ExceptionHandlerExceptionResolver original) {
        if (original.getArgumentResolvers() != null) {
            setArgumentResolvers(original.getArgumentResolvers().getResolvers());
        }
        if (original.getReturnValueHandlers() != null) {
            setReturnValueHandlers(original.getReturnValueHandlers().getHandlers());
        }
    }

    /** {@return whether an exception handler of the application may answer, so that it matters which handler threw} */
    boolean hasApplicationHandlers() {
        Boolean known = applicationHandlers;
        if (known == null) {
            known = getExceptionHandlerAdviceCache().values().stream().anyMatch(DeclaredHandlers::mayExist)
                    || controllerTypes().anyMatch(type -> DeclaredHandlers.mayExist(handlersOf(type)));
            applicationHandlers = known;
        }
        return known;
    }

    private Stream<Class<?>> controllerTypes() {
        ApplicationContext context = getApplicationContext();
        if (context == null) {
            return Stream.empty();
        }
        return context.getBeanProvider(AbstractHandlerMethodMapping.class).stream()
                .flatMap(mapping -> ((AbstractHandlerMethodMapping<?>) mapping).getHandlerMethods().values().stream())
                .map(HandlerMethod::getBeanType)
                .distinct();
    }

    private ExceptionHandlerMethodResolver handlersOf(Class<?> controller) {
        return controllers.computeIfAbsent(controller, ExceptionHandlerMethodResolver::new);
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception exception) {
        if (Rejected.asInvalid(exception)) {
            return answerInvalid(request, response);
        }
        RateLimitExceededException rejection = Rejected.by(exception);
        return rejection == null ? null : super.resolveException(request, response, handler, rejection);
    }

    private ModelAndView answerInvalid(HttpServletRequest request, HttpServletResponse response) {
        try {
            InvalidRequest.answer(request, response);
        } catch (IOException failure) {
            logger.debug("The answer to an invalid request could not be written", failure);
        }
        return new ModelAndView();
    }

    @Override
    protected boolean shouldApplyTo(HttpServletRequest request, @Nullable Object handler) {
        return true;
    }

    @Override
    protected @Nullable ModelAndView doResolveHandlerMethodException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable HandlerMethod handlerMethod,
            Exception exception) {
        RateLimitExceededException rejection = (RateLimitExceededException) exception;
        LimitedRequest.of(request).ifPresent(state -> state.reject(rejection));
        ModelAndView answer = super.doResolveHandlerMethodException(request, response, handlerMethod, exception);
        if (answer != null) {
            return answer;
        }
        try {
            writer.write(request, response, rejection);
        } catch (IOException | ServletException failure) {
            logger.debug("The answer to a refused request could not be written", failure);
        }
        return new ModelAndView();
    }

    @Override
    protected @Nullable ServletInvocableHandlerMethod getExceptionHandlerMethod(
            @Nullable HandlerMethod handlerMethod, Exception exception, ServletWebRequest webRequest) {
        DeclaredHandlers declared = DeclaredHandlers.forRequest(webRequest.getRequest(), exception.getClass());
        Class<?> controller = handlerMethod == null ? null : handlerMethod.getBeanType();
        if (handlerMethod != null && controller != null) {
            Optional<ServletInvocableHandlerMethod> own = declared.find(handlersOf(controller))
                    .map(method -> new ServletInvocableHandlerMethod(handlerMethod.getBean(), method, messages()));
            if (own.isPresent()) {
                return own.get();
            }
        }
        for (Map.Entry<ControllerAdviceBean, ExceptionHandlerMethodResolver> advice :
                getExceptionHandlerAdviceCache().entrySet()) {
            if (advice.getKey().isApplicableToBeanType(controller)) {
                Optional<ServletInvocableHandlerMethod> found = declared.find(advice.getValue())
                        .map(method -> new ServletInvocableHandlerMethod(
                                advice.getKey().resolveBean(), method, messages()));
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        return null;
    }

    private MessageSource messages() {
        ApplicationContext context = getApplicationContext();
        Assert.state(context != null, "no application context");
        return context;
    }
}

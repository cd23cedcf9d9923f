package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Answers a refusal of the filter as Spring MVC would have answered one of the annotation: through the application's
 * exception resolvers, as if the handler had thrown it.
 */
public final class FilterRejections {

    private final RejectionWriter writer;

    private final RequestHandlers handlers;

    private final CrossOrigin crossOrigin;

    private final OrderedBeans<HandlerExceptionResolver> resolvers;

    private final OrderedBeans<ViewResolver> viewResolvers;

    /**
     * Creates it.
     *
     * @param context where handler mappings, exception resolvers and CORS settings are found, when first needed
     * @param headers the quota headers
     * @param writer writes the answer if the application does not
     */
    public FilterRejections(ApplicationContext context, RateLimitHeaders headers, RejectionWriter writer) {
        this.writer = writer;
        this.handlers = new RequestHandlers(context.getBeanProvider(HandlerMapping.class));
        this.crossOrigin = new CrossOrigin(context, handlers, headers.exposed());
        this.resolvers = new OrderedBeans<>(context.getBeanProvider(HandlerExceptionResolver.class));
        this.viewResolvers = new OrderedBeans<>(context.getBeanProvider(ViewResolver.class));
    }

    void reject(HttpServletRequest request, HttpServletResponse response, RateLimitExceededException rejection)
            throws IOException, ServletException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        crossOrigin.apply(request, response);
        Optional<ModelAndView> answer = resolve(request, response, rejection);
        if (answer.isEmpty()) {
            writer.write(request, response, rejection);
        } else if (!answer.get().isEmpty()) {
            render(answer.get(), request, response);
        }
    }

    /** Answers who sent something with which a limit cannot be applied. */
    void invalid(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (!response.isCommitted()) {
            crossOrigin.apply(request, response);
            InvalidRequest.answer(request, response);
        }
    }

    private Optional<ModelAndView> resolve(
            HttpServletRequest request, HttpServletResponse response, RateLimitExceededException rejection) {
        List<HandlerExceptionResolver> sorted = resolvers.get();
        if (!sorted.isEmpty()
                && sorted.get(0) instanceof RejectionExceptionResolver ours
                && !ours.hasApplicationHandlers()) {
            return Optional.empty();
        }
        Object handler =
                handlers.find(request).map(HandlerExecutionChain::getHandler).orElse(null);
        for (HandlerExceptionResolver resolver : sorted) {
            ModelAndView answer = resolver.resolveException(request, response, handler, rejection);
            if (answer != null) {
                return Optional.of(answer);
            }
        }
        return Optional.empty();
    }

    private void render(ModelAndView answer, HttpServletRequest request, HttpServletResponse response)
            throws ServletException {
        Locale locale = RequestContextUtils.getLocale(request);
        try {
            View view = answer.getView() != null ? answer.getView() : view(answer.getViewName(), locale);
            if (view == null) {
                throw new ServletException("no view is named '%s'".formatted(answer.getViewName()));
            }
            if (answer.getStatus() != null) {
                response.setStatus(answer.getStatus().value());
            }
            view.render(answer.getModel(), request, response);
        } catch (ServletException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new ServletException(failure);
        }
    }

    private @Nullable View view(@Nullable String name, Locale locale) throws Exception {
        if (name == null) {
            return null;
        }
        for (ViewResolver resolver : viewResolvers.get()) {
            View view = resolver.resolveViewName(name, locale);
            if (view != null) {
                return view;
            }
        }
        return null;
    }
}

package io.ratelimit.aop;

import io.ratelimit.aop.Annotations.Found;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.expression.CurrentRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What is limited and how, for every annotated method of the application. Each method is resolved once, when its bean is
 * created, and those of lazy beans at the end of the start-up, so that a mistake never waits for the first call.
 */
public final class MethodPlans implements SmartInitializingSingleton {

    private static final String EXECUTOR_BEAN = "applicationTaskExecutor";

    private final ConfigurableListableBeanFactory beanFactory;

    private final LimitSpecFactory factory;

    private final CallStyle.Tools tools;

    /** By the method that is called; several keys lead to one plan. */
    private final Map<MethodClassKey, Optional<MethodPlan>> calls = new ConcurrentHashMap<>();

    /** By the method that is implemented. */
    private final Map<MethodClassKey, MethodPlan> plans = new ConcurrentHashMap<>();

    private @Nullable MethodPlanner planner;

    /**
     * Creates the plans.
     *
     * @param beanFactory replaces placeholders and knows the classes of the application
     * @param factory checks and compiles what annotations say
     * @param enforcer decides on calls
     * @param currentRequest the request that expressions see
     */
    public MethodPlans(
            ConfigurableListableBeanFactory beanFactory,
            LimitSpecFactory factory,
            Enforcer enforcer,
            CurrentRequest currentRequest) {
        this(beanFactory, factory, new CallStyle.Tools(enforcer, currentRequest, Pause.real(), executor(beanFactory)));
    }

    MethodPlans(ConfigurableListableBeanFactory beanFactory, LimitSpecFactory factory, CallStyle.Tools tools) {
        this.beanFactory = beanFactory;
        this.factory = factory;
        this.tools = tools;
    }

    /** Resolves the methods of beans that are not created yet. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beanFactory.getBeanDefinitionNames()) {
            Class<?> type = beanFactory.containsSingleton(name) ? null : beanFactory.getType(name, false);
            if (type != null && Annotations.isCandidate(type)) {
                prepare(ClassUtils.getUserClass(type));
            }
        }
    }

    /** Resolves all limited methods of a class. */
    void prepare(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            Arrays.stream(type.getInterfaces()).filter(Annotations::isCandidate).forEach(this::prepare);
            return;
        }
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type, LimitedMethods::mayBeLimited)) {
            find(method, type);
        }
    }

    /** Returns how a call is limited; {@code null} if it is not. */
    @Nullable
    MethodPlan find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<MethodPlan> known = calls.get(key);
        if (known == null) {
            known = Optional.ofNullable(resolve(method, targetClass));
            calls.put(key, known);
        }
        return known.orElse(null);
    }

    private synchronized @Nullable MethodPlan resolve(Method method, Class<?> targetClass) {
        Found found = Annotations.find(method, targetClass);
        if (found.annotations().isEmpty()) {
            return null;
        }
        Class<?> type = Annotations.owner(method, targetClass);
        MethodClassKey key = new MethodClassKey(found.method(), type);
        MethodPlan plan = plans.get(key);
        if (plan == null) {
            plan = planner().plan(found, type);
            plans.put(key, plan);
        }
        return plan;
    }

    private MethodPlanner planner() {
        if (planner == null) {
            planner = new MethodPlanner(
                    factory, beanFactory::resolveEmbeddedValue, new BucketNames(ambiguousClasses()), tools);
        }
        return planner;
    }

    private Set<String> ambiguousClasses() {
        Map<String, Class<?>> seen = new ConcurrentHashMap<>();
        Set<String> ambiguous = new HashSet<>();
        for (String name : beanFactory.getBeanDefinitionNames()) {
            Class<?> type = beanFactory.getType(name, false);
            if (type != null) {
                Class<?> userClass = ClassUtils.getUserClass(type);
                Class<?> other = seen.putIfAbsent(userClass.getSimpleName(), userClass);
                if (other != null && other != userClass) {
                    ambiguous.add(userClass.getSimpleName());
                }
            }
        }
        return ambiguous;
    }

    private static Executor executor(ConfigurableListableBeanFactory beanFactory) {
        return task -> {
            boolean present = beanFactory.containsBean(EXECUTOR_BEAN);
            Object bean = present ? beanFactory.getBean(EXECUTOR_BEAN) : ForkJoinPool.commonPool();
            (bean instanceof Executor executor ? executor : ForkJoinPool.commonPool()).execute(task);
        };
    }
}

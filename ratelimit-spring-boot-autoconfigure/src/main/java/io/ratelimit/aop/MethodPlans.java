package io.ratelimit.aop;

import io.ratelimit.aop.Annotations.Found;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitSpecFactory;
import io.ratelimit.enforcement.LiveLimits;
import io.ratelimit.expression.CurrentRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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

    private static final Log LOG = LogFactory.getLog(MethodPlans.class);

    private static final String EXECUTOR_BEAN = "applicationTaskExecutor";

    private final ConfigurableListableBeanFactory beanFactory;

    private final CallStyle.Tools tools;

    private final Set<MethodClassKey> announced = new HashSet<>();

    private volatile Generation current;

    private @Nullable BucketNames names;

    /** Plans of one configuration. A new one takes the place of all its plans at once. */
    private record Generation(
            LimitSpecFactory factory,
            ResolvedTexts texts,
            /* By the method that is called; several keys lead to one plan. */
            Map<MethodClassKey, Optional<MethodPlan>> calls,
            /* By the method that is implemented, in the order of creation. */
            Map<MethodClassKey, Planned> plans) {

        static Generation of(LimitSpecFactory factory, ResolvedTexts texts) {
            return new Generation(factory, texts, new ConcurrentHashMap<>(), new LinkedHashMap<>());
        }
    }

    private record Planned(Found found, Class<?> type, MethodPlan plan) {}

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
        this.current = Generation.of(factory, new ResolvedTexts(beanFactory::resolveEmbeddedValue));
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

    /**
     * Returns the methods with the texts that are in force, whatever the environment says by now.
     *
     * @return plans again what was planned so far
     */
    public LiveLimits.Place inForce() {
        return place(current.texts);
    }

    /**
     * Returns the methods with texts that are read anew.
     *
     * @return plans again what was planned so far; placeholders keep the values that they get with the first plans
     */
    public LiveLimits.Place readAnew() {
        return place(new ResolvedTexts(beanFactory::resolveEmbeddedValue));
    }

    private LiveLimits.Place place(ResolvedTexts texts) {
        return factory -> prepare(factory, texts);
    }

    private synchronized Runnable prepare(LimitSpecFactory successor, ResolvedTexts texts) {
        Generation next = Generation.of(successor, texts);
        current.plans.values().forEach(planned -> plan(planned.found, planned.type, next));
        return () -> current = next;
    }

    /** Returns how a call is limited; {@code null} if it is not. */
    @Nullable
    MethodPlan find(Method method, Class<?> targetClass) {
        Generation generation = current;
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<MethodPlan> known = generation.calls.get(key);
        if (known == null) {
            known = Optional.ofNullable(resolve(method, targetClass, generation));
            generation.calls.put(key, known);
        }
        return known.orElse(null);
    }

    private synchronized @Nullable MethodPlan resolve(Method method, Class<?> targetClass, Generation generation) {
        Found found = Annotations.find(method, targetClass);
        if (found.annotations().isEmpty()) {
            return null;
        }
        Class<?> owner = Annotations.owner(method, targetClass);
        MethodPlan plan = plan(found, owner, generation);
        if (announced.add(new MethodClassKey(found.method(), owner))) {
            LOG.info(plan.describe());
        }
        return plan;
    }

    private MethodPlan plan(Found found, Class<?> type, Generation generation) {
        MethodClassKey key = new MethodClassKey(found.method(), type);
        Planned planned = generation.plans.get(key);
        if (planned == null) {
            MethodPlanner planner = new MethodPlanner(generation.factory, generation.texts, names(), tools);
            planned = new Planned(found, type, planner.plan(found, type));
            generation.plans.put(key, planned);
        }
        return planned.plan;
    }

    private BucketNames names() {
        if (names == null) {
            names = new BucketNames(ambiguousClasses());
        }
        return names;
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

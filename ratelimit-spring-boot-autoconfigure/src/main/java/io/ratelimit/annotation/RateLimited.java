package io.ratelimit.annotation;

import io.ratelimit.core.Algorithm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method may be called.
 *
 * <pre>{@code
 * @RateLimited(limit = 5, window = "30s", algorithm = Algorithm.SLIDING_COUNTER)
 * @GetMapping("/search")
 * List<Item> search(String text) { ... }
 * }</pre>
 *
 * <p>On a class it limits all its public methods together; an annotation on a method replaces that of its class. Several
 * on one method decide together: all admit and are charged, or none is. Text attributes may contain {@code ${...}}
 * placeholders. Attributes that cannot work stop the application at start-up with a message that names them.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

    /** Permits per {@link #window()}; 0 refuses everything. Give this, {@link #limitString()} or {@link #policy()}. */
    long limit() default -1;

    /** The limit as text, for a placeholder: {@code limitString = "${search.limit}"}. */
    String limitString() default "";

    /** Length of the window: "30s", "1m", "1h", "1d", or ISO-8601 such as "PT30S". */
    String window() default "";

    /** How the limit counts. */
    Algorithm algorithm() default Algorithm.TOKEN_BUCKET;

    /** Capacity of the token bucket (default: the limit) or length of the leaky bucket's queue (default: 0). */
    long burst() default -1;

    /** For the leaky bucket: how many queued requests are served without waiting. */
    long delay() default 0;

    /** For the leaky bucket: whether the whole queue is served without waiting. */
    boolean nodelay() default false;

    /** For the leaky bucket: the longest wait that is granted, such as "2s"; who would wait longer is refused. */
    String maxDelay() default "";

    /**
     * Whose requests are counted together, in SpEL: {@code "#userId"}, {@code "ip"}, {@code "header('X-API-Key')"}.
     * Empty: the principal's name, else the client's address.
     */
    String key() default "";

    /** Permits that one call takes, in SpEL; 0 is always admitted and charges nothing. */
    String cost() default "1";

    /** Whether the call is limited at all, in SpEL; empty: always. */
    String condition() default "";

    /**
     * Whether the call counts, in SpEL, evaluated after it with {@code result}, {@code error} and {@code status}: the
     * permits are reserved before the call and given back unless this is true. Empty: every call counts.
     */
    String countWhen() default "";

    /** A name from {@code ratelimit.policies}, or a template that chooses one per call: {@code "#{@plans.of(principal)}"}. */
    String policy() default "";

    /**
     * Name of the bucket, in headers and metrics. Places with one name and equal limits share their counts. Empty: the
     * bucket belongs to this method (or class) and appears on the wire as the policy's name or as "default".
     */
    String name() default "";

    /** Whether to decide and measure only, and never refuse. */
    boolean shadow() default false;

    /** Name of a method of the same class that answers when the call is refused. */
    String fallback() default "";

    /** Holds several {@link RateLimited}. */
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Documented
    @interface List {

        /** The limits, all of which must admit. */
        RateLimited[] value();
    }
}

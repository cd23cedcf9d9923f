package io.ratelimit.autoconfigure;

import org.springframework.util.ClassUtils;

/** The auto-configuration of Redis, which has another name on each Spring Boot line. */
final class RedisOfThisLine {

    private static final String BOOT_4 = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

    private static final String BOOT_3 = "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration";

    private RedisOfThisLine() {}

    static Class<?> autoConfiguration() {
        ClassLoader loader = RedisOfThisLine.class.getClassLoader();
        return ClassUtils.resolveClassName(ClassUtils.isPresent(BOOT_4, loader) ? BOOT_4 : BOOT_3, loader);
    }
}

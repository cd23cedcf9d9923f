package io.ratelimit.expression;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code #body.user} where the body is a map. Spring's own accessor moved between its versions. */
@SuppressWarnings("rawtypes")
final class MapKeys extends ReadOnlyAccessor<Map> {

    MapKeys() {
        super(Map.class);
    }

    @Override
    boolean has(Map target, String name) {
        return target.containsKey(name);
    }

    @Override
    @Nullable
    Object get(Map target, String name) {
        return target.get(name);
    }
}

package io.ratelimit.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** The keys that exist, as the properties' records declare them. */
final class KnownKeys {

    private KnownKeys() {}

    /**
     * Finds out where a misspelled name leaves the known keys.
     *
     * @param name a name under {@code ratelimit} that nothing was bound to
     * @return the keys that exist at the place of its first unknown element, in their documented order
     */
    static List<String> beside(ConfigurationPropertyName name) {
        Type type = RateLimitProperties.class;
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            if (type instanceof ParameterizedType collection) {
                Type[] arguments = collection.getActualTypeArguments();
                type = arguments[arguments.length - 1];
                continue;
            }
            Class<?> current = (Class<?>) type;
            Optional<RecordComponent> component = component(current, name.getElement(i, Form.UNIFORM));
            if (component.isEmpty()) {
                return keys(current);
            }
            type = component.get().getGenericType();
        }
        return List.of();
    }

    private static Optional<RecordComponent> component(Class<?> type, String uniform) {
        return !type.isRecord()
                ? Optional.empty()
                : Arrays.stream(type.getRecordComponents())
                        .filter(component ->
                                component.getName().toLowerCase(Locale.ROOT).equals(uniform))
                        .findFirst();
    }

    private static List<String> keys(Class<?> type) {
        return !type.isRecord()
                ? List.of()
                : Arrays.stream(type.getRecordComponents())
                        .map(component -> dashed(component.getName()))
                        .toList();
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}

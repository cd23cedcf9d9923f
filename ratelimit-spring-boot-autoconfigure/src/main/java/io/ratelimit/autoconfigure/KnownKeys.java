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

    /** How far a name is known, and the type that is found there. */
    private record Reached(Type type, int elements) {}

    /**
     * Finds out where a misspelled name leaves the known keys.
     *
     * @param name a name under {@code ratelimit} that nothing was bound to
     * @return the keys that exist at the place of its first unknown element, in their documented order
     */
    static List<String> beside(ConfigurationPropertyName name) {
        Reached reached = follow(name);
        return reached.elements < name.getNumberOfElements() && reached.type instanceof Class<?> owner
                ? keys(owner)
                : List.of();
    }

    /** Tells whether a name under {@code ratelimit}, whatever its indices and map keys, is that of a value. */
    static boolean contains(ConfigurationPropertyName name) {
        Reached reached = follow(name);
        boolean group = reached.type instanceof Class<?> type && type.isRecord();
        return reached.elements == name.getNumberOfElements() && !group;
    }

    /**
     * Finds the list that a name enters without an index, because the list was written as a map.
     *
     * @param name a name under {@code ratelimit}
     * @return the beginning of the name up to the list, empty if there is no such list
     */
    static Optional<ConfigurationPropertyName> listWithoutIndex(ConfigurationPropertyName name) {
        Reached reached = follow(name);
        return reached.elements < name.getNumberOfElements() && reached.type instanceof ParameterizedType
                ? Optional.of(name.chop(reached.elements))
                : Optional.empty();
    }

    private static Reached follow(ConfigurationPropertyName name) {
        Type type = RateLimitProperties.class;
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            Optional<Type> next = type instanceof ParameterizedType collection
                    ? element(collection, name, i)
                    : component((Class<?>) type, name.getElement(i, Form.UNIFORM))
                            .map(RecordComponent::getGenericType);
            if (next.isEmpty()) {
                return new Reached(type, i);
            }
            type = next.get();
        }
        return new Reached(type, name.getNumberOfElements());
    }

    private static Optional<Type> element(ParameterizedType collection, ConfigurationPropertyName name, int position) {
        if (collection.getRawType() == List.class && !name.isNumericIndex(position)) {
            return Optional.empty();
        }
        Type[] arguments = collection.getActualTypeArguments();
        return Optional.of(arguments[arguments.length - 1]);
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

package io.ratelimit.autoconfigure;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains a value under {@code ratelimit} that cannot be read, or a key that does not exist. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ratelimit");

    private static final ConfigurationPropertyName RULES = PREFIX.append("rules");

    private final Environment environment;

    PropertyFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!isOurs(cause.getName())) {
            return null;
        }
        if (cause.getCause() instanceof UnboundConfigurationPropertiesException unknown) {
            return analyzeUnknown(unknown);
        }
        ConfigurationProperty property = cause.getProperty();
        return property == null ? null : analyzeValue(cause, property);
    }

    private FailureAnalysis analyzeUnknown(UnboundConfigurationPropertiesException unknown) {
        String description = unknown.getUnboundProperties().stream()
                .map(property -> "%s %s%s.".formatted(property.getName(), fault(property), origin(property)))
                .collect(Collectors.joining(System.lineSeparator()));
        String action = unknown.getUnboundProperties().stream()
                .findFirst()
                .map(property -> remedy(property.getName()))
                .orElse("Remove it.");
        return new FailureAnalysis(description, action, unknown);
    }

    private static String fault(ConfigurationProperty unbound) {
        return KnownKeys.contains(unbound.getName()) ? "stands behind a gap in its list" : "does not exist";
    }

    private static String remedy(ConfigurationPropertyName unbound) {
        if (KnownKeys.contains(unbound)) {
            return "A list comes from one source alone: give it all its elements there, numbered from 0.";
        }
        Optional<ConfigurationPropertyName> list = KnownKeys.listWithoutIndex(unbound);
        if (list.isPresent()) {
            return listRemedy(list.get(), unbound);
        }
        List<String> keys = KnownKeys.beside(unbound);
        return keys.isEmpty() ? "Remove it." : "Use one of %s.".formatted(String.join(", ", keys));
    }

    private static String listRemedy(ConfigurationPropertyName list, ConfigurationPropertyName unbound) {
        String name = list.getLastElement(Form.ORIGINAL);
        String first = unbound.getElement(list.getNumberOfElements(), Form.ORIGINAL);
        String element = RULES.equals(list) ? "- name: " + first : "- " + first;
        return "%s is a list: write `%s`.".formatted(name, element);
    }

    private FailureAnalysis analyzeValue(BindException cause, ConfigurationProperty property) {
        Class<?> type = cause.getTarget().getType().resolve(Object.class);
        String description = "%s '%s' is %s%s."
                .formatted(
                        PropertySubject.of(property.getName(), environment),
                        property.getValue(),
                        fault(type),
                        origin(property));
        return new FailureAnalysis(description, remedy(type), cause);
    }

    private static String fault(Class<?> type) {
        if (type.isEnum()) {
            return "unknown";
        }
        if (type == Duration.class) {
            return "not a duration";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "neither true nor false";
        }
        return isNumber(type) ? "not a whole number" : "not readable as " + type.getSimpleName();
    }

    private static String remedy(Class<?> type) {
        if (type.isEnum()) {
            return "Use one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant)
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-'))
                            .collect(Collectors.joining(", ", "", "."));
        }
        if (type == Duration.class) {
            return "Use 100ms or PT0.1S.";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "Use true or false.";
        }
        return isNumber(type) ? "Use digits only." : "Correct the value.";
    }

    private static boolean isNumber(Class<?> type) {
        return type == int.class || type == long.class || type == BigDecimal.class;
    }

    private static boolean isOurs(ConfigurationPropertyName name) {
        return PREFIX.equals(name) || PREFIX.isAncestorOf(name);
    }

    private static String origin(ConfigurationProperty property) {
        return property.getOrigin() == null ? "" : " (%s)".formatted(property.getOrigin());
    }
}

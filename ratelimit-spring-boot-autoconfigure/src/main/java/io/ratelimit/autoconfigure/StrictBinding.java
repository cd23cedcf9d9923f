package io.ratelimit.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Lets a handler refuse keys under {@code ratelimit} that do not exist, but not keys of lists that a higher source
 * replaces, which stay unbound as well.
 */
final class StrictBinding extends AbstractBindHandler {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

    /**
     * Creates the handler.
     *
     * @param strict refuses every key that nothing was bound to
     */
    StrictBinding(BindHandler strict) {
        super(strict);
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        if (!ROOT.equals(name)) {
            super.onFinish(name, target, context, result);
            return;
        }
        ReplacedLists lists = new ReplacedLists(context.getSources());
        try {
            super.onFinish(name, target, context, result);
        } catch (UnboundConfigurationPropertiesException e) {
            Set<ConfigurationProperty> unknown = e.getUnboundProperties().stream()
                    .filter(property -> !lists.replaces(property))
                    .collect(Collectors.toSet());
            if (!unknown.isEmpty()) {
                throw new UnboundConfigurationPropertiesException(unknown);
            }
        }
        if (result instanceof RateLimitProperties properties) {
            lists.requireWholeRules(properties.rules());
        }
    }
}

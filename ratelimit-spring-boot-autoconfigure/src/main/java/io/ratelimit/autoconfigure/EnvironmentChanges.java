package io.ratelimit.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/** Reads the limits again when Spring Cloud says that the environment has changed. Needs nothing of Spring Cloud otherwise. */
final class EnvironmentChanges implements GenericApplicationListener {

    static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

    private final ObjectProvider<LiveConfiguration> configuration;

    EnvironmentChanges(ObjectProvider<LiveConfiguration> configuration) {
        this.configuration = configuration;
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return eventType.toClass().getName().equals(EVENT);
    }

    /** A configuration that cannot work is logged and not thrown: others wait for this event too. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        configuration.getObject().reload();
    }
}

package org.springframework.cloud.context.environment;

import java.util.Set;
import org.springframework.context.ApplicationEvent;

/** Stands in for the event of Spring Cloud that has this name, so that no test needs Spring Cloud. */
public class EnvironmentChangeEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final Set<String> keys;

    public EnvironmentChangeEvent(Object context, Set<String> keys) {
        super(context);
        this.keys = keys;
    }

    public Set<String> getKeys() {
        return keys;
    }
}

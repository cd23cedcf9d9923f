package io.ratelimit.sample;

import io.ratelimit.sample.playground.Step;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says at start-up what to try first. */
@Component
class FirstSteps {

    private static final Logger log = LoggerFactory.getLogger(FirstSteps.class);

    private final Environment environment;

    FirstSteps(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        String origin = "http://127.0.0.1:" + environment.getProperty("local.server.port");
        String commands = Step.ALL.stream()
                .map(step -> "  # %s: %s%n  %s%n".formatted(step.title(), step.note(), step.curl(origin)))
                .collect(Collectors.joining());
        log.info(
                "The shop is open. Playground: {}/{}Paste one of these a few times:{}{}",
                origin,
                System.lineSeparator(),
                System.lineSeparator(),
                commands);
    }
}

package io.ratelimit.sample;

import io.ratelimit.core.ManualTimeSource;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** A clock that moves only when a test moves it. */
@TestConfiguration(proxyBeanMethods = false)
class StandingClock {

    @Bean
    ManualTimeSource manualTimeSource() {
        return new ManualTimeSource();
    }
}

package io.ratelimit.actuate;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.ManualTimeSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A shop to operate: a limited method whose limit is a placeholder, and whatever rules a test gives it. */
final class Shop {

    /** Its rules and policies; every window is that of the standing clock. */
    static final String[] LIMITS = {
        "management.endpoints.web.exposure.include=ratelimit,metrics",
        "search.limit=3",
        "ratelimit.default-key='all'",
        "ratelimit.policies.login.limit=2",
        "ratelimit.policies.login.window=1m",
        "ratelimit.policies.login.algorithm=fixed-window",
        "ratelimit.rules[0].name=api",
        "ratelimit.rules[0].paths=/api",
        "ratelimit.rules[0].limit=2",
        "ratelimit.rules[0].window=1m",
        "ratelimit.rules[0].algorithm=fixed-window",
        "ratelimit.rules[1].name=login",
        "ratelimit.rules[1].paths=/login",
        "ratelimit.rules[1].policy=login",
    };

    private Shop() {}

    /** What there is to limit, and a clock that stands. */
    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Controllers {

        private final List<RateLimitExceededEvent> refusals = new CopyOnWriteArrayList<>();

        @EventListener
        void refused(RateLimitExceededEvent event) {
            refusals.add(event);
        }

        public List<RateLimitExceededEvent> refusals() {
            return refusals;
        }

        @Bean
        static ManualTimeSource timeSource() {
            return new ManualTimeSource();
        }

        @GetMapping({"/api", "/login", "/new"})
        String served() {
            return "served";
        }

        @GetMapping("/search")
        @RateLimited(
                limitString = "${search.limit}",
                window = "1m",
                algorithm = Algorithm.FIXED_WINDOW,
                name = "search")
        public String search() {
            return "found";
        }
    }

    /** The same without a lock on any door. */
    @Configuration(proxyBeanMethods = false)
    static class Open extends Controllers {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }
}

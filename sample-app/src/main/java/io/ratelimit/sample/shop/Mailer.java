package io.ratelimit.sample.shop;

import io.ratelimit.core.RateLimiter;
import org.springframework.stereotype.Component;

/** Sends mail to customers, whoever asks for it: a request, a queue, a timer. So it is limited by code, here. */
@Component
class Mailer {

    private final RateLimiter limiter;

    Mailer(RateLimiter limiter) {
        this.limiter = limiter;
    }

    /** Sends a reminder unless the customer had as many as the policy "mail" in application.yml allows. */
    boolean remind(String customer) {
        return limiter.acquire("mail", customer, 1).allowed();
    }
}

package io.ratelimit.sample.shop;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Which plan a client has bought. */
@Component("plans")
public class Plans {

    private static final Set<String> PRO_KEYS = Set.of("pro-7f3a");

    /**
     * Returns the name of the policy for an API key.
     *
     * @param apiKey what the client sent, if anything
     * @return "pro" or "free", both in application.yml
     */
    public String of(@Nullable String apiKey) {
        return apiKey != null && PRO_KEYS.contains(apiKey) ? "pro" : "free";
    }
}

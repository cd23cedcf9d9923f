package io.ratelimit.sample.playground;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers the page's live requests, each limited as the visitor wishes. */
@RestController
@RequestMapping("/playground/live")
class LiveController {

    /** The limit is chosen per call; each run of the page counts for itself, and so does each algorithm. */
    @RateLimited(
            name = "live",
            policy = "#{@visitorPolicies.choose(#algorithm, #settings)}",
            key = "#run + ' ' + #algorithm")
    @GetMapping("/{algorithm}")
    String live(@PathVariable Algorithm algorithm, Settings settings, String run) {
        return "served\n";
    }
}

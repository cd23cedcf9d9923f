package io.ratelimit.sample.shop;

import io.ratelimit.annotation.RateLimited;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Quotes for large orders: a condition, an asynchronous answer, and one bucket for an annotation and a rule. */
@RestController
@RequestMapping("/shop/quotes")
class QuoteController {

    /**
     * Small quotes are free; of large ones there are four a minute. The permit is taken before the work begins. The rule
     * "quotes" in application.yml has the same name and the same limit, and so the same counts.
     */
    @RateLimited(name = "quotes", limit = 4, window = "1m", condition = "#pieces > 100")
    @GetMapping
    CompletableFuture<String> quote(@RequestParam(defaultValue = "1") int pieces) {
        return CompletableFuture.supplyAsync(() -> "%d apples for %d cents%n".formatted(pieces, 40 * pieces));
    }

    /** Limited by the rule "quotes" in application.yml. */
    @GetMapping("/archive")
    String archive() {
        return "all quotes of last year\n";
    }
}

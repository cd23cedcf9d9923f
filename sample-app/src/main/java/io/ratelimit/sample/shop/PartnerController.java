package io.ratelimit.sample.shop;

import io.ratelimit.annotation.RateLimited;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** For partners: plans that are chosen per call, and a policy with two limits that a rule in application.yml applies. */
@RestController
@RequestMapping("/shop")
class PartnerController {

    private final Catalog catalog;

    PartnerController(Catalog catalog) {
        this.catalog = catalog;
    }

    /** FREE partners get 5 a minute, PRO partners 50. */
    @RateLimited(name = "prices", policy = "#{@plans.of(header('X-API-Key'))}", key = "header('X-API-Key')")
    @GetMapping("/prices")
    List<Product> prices() {
        return catalog.all();
    }

    /** Limited by the rule "reviews" in application.yml. */
    @GetMapping("/reviews")
    List<String> reviews() {
        return List.of("crisp apples", "ripe pears");
    }
}

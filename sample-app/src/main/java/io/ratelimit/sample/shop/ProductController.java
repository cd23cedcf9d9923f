package io.ratelimit.sample.shop;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reading the catalog: three algorithms, and a fallback instead of a refusal. */
@RestController
@RequestMapping("/shop/products")
class ProductController {

    private final Catalog catalog;

    ProductController(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Fixed window: ten in every minute of the clock. Cheapest, but the edge of the minute lets 20 through. */
    @RateLimited(name = "products", limit = 10, window = "1m", algorithm = Algorithm.FIXED_WINDOW)
    @GetMapping
    List<Product> products() {
        return catalog.all();
    }

    /** Sliding counter: two numbers a key, and no burst at the edge. A good default for public APIs. */
    @RateLimited(name = "search", limit = 5, window = "30s", algorithm = Algorithm.SLIDING_COUNTER)
    @GetMapping("/search")
    List<Product> search(@RequestParam(defaultValue = "apple") String text) {
        return catalog.containing(text);
    }

    /** Leaky bucket: two a second at an even pace. Up to four wait for their turn, the next is refused. */
    @RateLimited(name = "stock", limit = 2, window = "1s", algorithm = Algorithm.LEAKY_BUCKET, burst = 4)
    @GetMapping("/stock")
    String stock() {
        return "42 apples\n";
    }

    /** When the limit is reached, the bestsellers answer instead of a 429. */
    @RateLimited(name = "recommendations", limit = 3, window = "1m", fallback = "bestsellers")
    @GetMapping("/recommended")
    List<Product> recommended() {
        return catalog.containing("e");
    }

    List<Product> bestsellers() {
        return catalog.bestsellers();
    }
}

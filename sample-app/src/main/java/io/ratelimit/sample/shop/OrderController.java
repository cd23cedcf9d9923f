package io.ratelimit.sample.shop;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.Algorithm;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What a customer does: a key per customer, and a cost that depends on the call. */
@RestController
@RequestMapping("/shop/customers/{customer}")
class OrderController {

    private final Mailer mailer;

    OrderController(Mailer mailer) {
        this.mailer = mailer;
    }

    /** Sliding log: exactly three in any minute, counted for each customer alone. */
    @RateLimited(name = "orders", limit = 3, window = "1m", algorithm = Algorithm.SLIDING_LOG, key = "#customer")
    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Order order(@PathVariable String customer, @RequestParam(defaultValue = "plum") String product) {
        return new Order(customer, product);
    }

    /** Token bucket: each page costs one token. A rested customer has 20; ten flow in each minute. */
    @RateLimited(name = "invoices", limit = 10, window = "1m", burst = 20, key = "#customer", cost = "#pages")
    @GetMapping("/invoices")
    List<String> invoices(@PathVariable String customer, @RequestParam(defaultValue = "1") int pages) {
        return List.of("%d pages of invoices for %s".formatted(pages, customer));
    }

    /** Always answered; whether there is a mail is up to {@link Mailer}. */
    @PostMapping("/reminders")
    String remind(@PathVariable String customer) {
        return mailer.remind(customer) ? "reminded\n" : "reminded often enough\n";
    }

    /**
     * An order that was taken.
     *
     * @param customer who ordered
     * @param product what was ordered
     */
    record Order(String customer, String product) {}
}

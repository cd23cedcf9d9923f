package io.ratelimit.sample.shop;

import java.util.List;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** What the shop sells. */
@Component
class Catalog {

    private static final List<Product> PRODUCTS = List.of(
            new Product("red apple", 40),
            new Product("green apple", 45),
            new Product("pear", 50),
            new Product("plum", 15),
            new Product("quince", 120));

    List<Product> all() {
        return PRODUCTS;
    }

    List<Product> bestsellers() {
        return PRODUCTS.subList(0, 2);
    }

    List<Product> containing(String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return PRODUCTS.stream()
                .filter(product -> product.name().contains(wanted))
                .toList();
    }
}

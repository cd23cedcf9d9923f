package io.ratelimit.benchmarks.peer;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** One endpoint behind Bucket4j's filter. */
@SpringBootApplication
@EnableCaching
@RestController
public class PeerApplication {

    record Product(String id, String name, int cents) {}

    public static void main(String[] args) {
        SpringApplication.run(PeerApplication.class, args);
    }

    @GetMapping("/shop/products")
    List<Product> products() {
        return List.of(new Product("p1", "Teapot", 2900), new Product("p2", "Kettle", 4900));
    }
}

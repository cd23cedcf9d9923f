package io.ratelimit.sample.shop;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A login that the rule "login" in application.yml protects: five failed logins per 15 minutes, good ones are free. */
@RestController
class LoginController {

    private static final String THE_PASSWORD = "apple";

    @PostMapping("/shop/login")
    ResponseEntity<String> login(@RequestParam String user, @RequestParam String password) {
        return THE_PASSWORD.equals(password)
                ? ResponseEntity.ok("welcome " + user + "\n")
                : ResponseEntity.status(HttpStatus.UNAUTHORIZED).body("wrong password\n");
    }
}

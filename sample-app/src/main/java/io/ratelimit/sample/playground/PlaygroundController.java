package io.ratelimit.sample.playground;

import io.ratelimit.core.TimeSource;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the start page asks for. */
@RestController
@RequestMapping("/playground/api")
class PlaygroundController {

    private final TimeLapse timeLapse;
    private final TimeSource clock;
    private final Environment environment;

    PlaygroundController(TimeLapse timeLapse, TimeSource clock, Environment environment) {
        this.timeLapse = timeLapse;
        this.clock = clock;
        this.environment = environment;
    }

    /** The stories to start from. */
    @GetMapping("/presets")
    List<Preset> presets() {
        return Presets.all();
    }

    /** The shop's endpoints, to be tried by hand. */
    @GetMapping("/walkthrough")
    List<Step> walkthrough() {
        return Step.ALL;
    }

    /** Which backend counts the live requests, and what time its windows are tied to. */
    @GetMapping("/status")
    Status status() {
        String backend = environment.getProperty("ratelimit.backend", "memory");
        String detail = "redis".equals(backend) ? redisAddress() : "this process";
        return new Status(backend, detail, clock.micros());
    }

    /** What the five algorithms make of some traffic. */
    @PostMapping("/time-lapse")
    Outcome timeLapse(@RequestBody Scenario scenario) {
        return new Outcome(timeLapse.run(scenario));
    }

    @ExceptionHandler
    ProblemDetail unreadable(HttpMessageNotReadableException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.BAD_REQUEST, e.getMostSpecificCause().getMessage());
    }

    private String redisAddress() {
        return environment.getProperty("spring.data.redis.host", "localhost") + ":"
                + environment.getProperty("spring.data.redis.port", "6379");
    }

    /**
     * The state of the running limiter.
     *
     * @param backend "memory" or "redis"
     * @param detail where that is
     * @param clockMicros the limiter's clock
     */
    record Status(String backend, String detail, long clockMicros) {}

    /**
     * The answer to a scenario.
     *
     * @param lanes one for each algorithm
     */
    record Outcome(List<Lane> lanes) {}
}

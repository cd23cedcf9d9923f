package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Decision;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.EnforcementListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A leaky bucket of 10 per second with a queue of 100, and 200 requests at once, in real time. */
@Tag("long")
class QueueOnTomcatTests {

    private static final int REQUESTS = 200;

    private static final long SPACING = 100_000;

    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        Recorder recorder() {
            return new Recorder();
        }

        @Bean
        Controller controller() {
            return new Controller();
        }
    }

    static class Recorder implements EnforcementListener {

        final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();

        @Override
        public void decided(Enforcement enforcement) {
            enforcement.charges().forEach(charge -> decisions.add(charge.decision()));
        }
    }

    @RestController
    static class Controller {

        @GetMapping({"/queue", "/other"})
        String hello() {
            return "hello";
        }
    }

    @Test
    void twoHundredAtOnceAreServedOneEveryTenthOfASecondWithoutHoldingThreads() {
        try (ConfiguredApplication application = ConfiguredApplication.start(
                App.class,
                "ratelimit.rules[0].name=queue",
                "ratelimit.rules[0].paths=/queue",
                "ratelimit.rules[0].limit=10",
                "ratelimit.rules[0].window=1s",
                "ratelimit.rules[0].algorithm=leaky-bucket",
                "ratelimit.rules[0].burst=100")) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            join(sendAll(client, application.port(), "/other"));
            List<CompletableFuture<HttpResponse<String>>> answers = sendAll(client, application.port(), "/queue");
            Queue<Decision> decisions = application.bean(Recorder.class).decisions;
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> decisions.size() == REQUESTS);
            int admitted = (int) decisions.stream().filter(Decision::allowed).count();
            Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> done(answers) >= REQUESTS - admitted);
            int busy = mostBusyWhileWaiting(application, answers);

            join(answers);
            assertSpacing(decisions, admitted);
            assertAnswers(answers, admitted);
            assertThat(busy).isLessThanOrEqualTo(5);
            System.out.printf("queue: %d of %d served, at most %d container threads busy%n", admitted, REQUESTS, busy);
        }
    }

    private static void join(List<CompletableFuture<HttpResponse<String>>> answers) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    }

    private static List<CompletableFuture<HttpResponse<String>>> sendAll(HttpClient client, int port, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            answers.add(client.sendAsync(request, BodyHandlers.ofString()));
        }
        return answers;
    }

    private static long done(List<? extends CompletableFuture<?>> answers) {
        return answers.stream().filter(CompletableFuture::isDone).count();
    }

    /** Looks at the container's threads, and at another endpoint, as long as most requests still wait. */
    private static int mostBusyWhileWaiting(
            ConfiguredApplication application, List<CompletableFuture<HttpResponse<String>>> answers) {
        int busy = 0;
        int looks = 0;
        long slowestOther = 0;
        while (done(answers) < REQUESTS - 20) {
            busy = Math.max(busy, busyContainerThreads());
            long start = System.nanoTime();
            assertThat(application.http().get("/other").body()).isEqualTo("hello");
            slowestOther = Math.max(slowestOther, System.nanoTime() - start);
            looks++;
        }
        System.out.printf("queue: %d requests elsewhere meanwhile, slowest %d ms%n", looks, slowestOther / 1_000_000);
        assertThat(looks).isGreaterThan(10);
        return busy;
    }

    private static int busyContainerThreads() {
        int busy = 0;
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            if (thread.getKey().getName().contains("-exec-") && isProcessing(thread.getValue())) {
                busy++;
            }
        }
        return busy;
    }

    private static boolean isProcessing(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().endsWith("SocketProcessorBase")) {
                return true;
            }
        }
        return false;
    }

    /** 101 at the first moment, and one more for each tenth of a second that the sending took. */
    private static void assertSpacing(Queue<Decision> decisions, int admitted) {
        long first = decisions.stream().mapToLong(Decision::atMicros).min().orElseThrow();
        long last = decisions.stream().mapToLong(Decision::atMicros).max().orElseThrow();
        assertThat(admitted).isBetween(101, 101 + (int) ((last - first) / SPACING) + 1);
        long[] turns = decisions.stream()
                .filter(Decision::allowed)
                .mapToLong(decision -> decision.atMicros() + decision.delayMicros())
                .sorted()
                .toArray();
        for (int i = 1; i < turns.length; i++) {
            assertThat(turns[i] - turns[i - 1]).isBetween(SPACING - 1, SPACING + 1);
        }
        System.out.printf(
                "queue: decided within %d ms, first turn to last %d ms, spacing 100 ms +- 1 us%n",
                (last - first) / 1_000, (turns[turns.length - 1] - turns[0]) / 1_000);
    }

    private static void assertAnswers(List<CompletableFuture<HttpResponse<String>>> answers, int admitted) {
        List<HttpResponse<String>> responses =
                answers.stream().map(CompletableFuture::join).toList();
        assertThat(responses)
                .filteredOn(response -> response.statusCode() == 200)
                .hasSize(admitted);
        assertThat(responses)
                .filteredOn(response -> response.statusCode() == 429)
                .hasSize(REQUESTS - admitted)
                .allSatisfy(response ->
                        assertThat(response.headers().firstValue("Retry-After")).contains("1"));
    }
}

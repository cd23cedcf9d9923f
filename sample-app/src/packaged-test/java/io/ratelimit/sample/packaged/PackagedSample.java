package io.ratelimit.sample.packaged;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jar in a virtual machine of its own, on a port of its own. */
final class PackagedSample implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile("Playground: (http://127\\.0\\.0\\.1:\\d+)/");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;

    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    private final CompletableFuture<String> origin = new CompletableFuture<>();

    private PackagedSample(Process process) {
        this.process = process;
    }

    /**
     * Starts the jar that the system property {@code sample.jar} names, and waits until it serves.
     *
     * @param options options of the virtual machine
     */
    static PackagedSample start(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", System.getProperty("sample.jar"), "--server.port=0"));
        Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        PackagedSample sample = new PackagedSample(process);
        new Thread(sample::read, "log of the sample").start();
        sample.origin.get(2, TimeUnit.MINUTES);
        return sample;
    }

    /** Returns what the sample has written so far. */
    String log() {
        return String.join("\n", log);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return send("GET", path, "", headers);
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin.join() + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    /** Sends the same request several times, one after the other, and returns the statuses. */
    List<Integer> statusesOf(int times, String method, String path, String... headers) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            statuses.add(send(method, path, "", headers).statusCode());
        }
        return statuses;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.add(line);
                Matcher open = OPEN.matcher(line);
                if (open.find()) {
                    origin.complete(open.group(1));
                }
            }
        } catch (IOException e) {
            log.add(e.toString());
        }
        origin.completeExceptionally(new IllegalStateException("the sample ended:\n" + log()));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}

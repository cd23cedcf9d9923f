package io.ratelimit.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An application jar running in a JVM of its own, on a free port of the loopback interface. */
final class Application implements AutoCloseable {

    private static final Pattern STARTED =
            Pattern.compile("Started \\w+ in [\\d.]+ seconds \\(process running for ([\\d.]+)\\)");

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Process process;

    private final Path log;

    private final int port;

    private Application(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Starts the jar and waits until it says that it has started. */
    static Application start(Path jar, List<String> arguments) throws IOException, InterruptedException {
        int port = freePort();
        Path log = Files.createTempFile("ratelimit-benchmark", ".log");
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xms512m",
                "-Xmx512m",
                "-jar",
                jar.toString(),
                "--server.port=" + port,
                "--server.address=127.0.0.1"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Application application = new Application(process, log, port);
        application.awaitStart();
        return application;
    }

    /** Seconds from the start of the process until the application was ready, as Spring Boot measured them. */
    double startupSeconds() throws IOException {
        Matcher matcher = STARTED.matcher(Files.readString(log));
        if (!matcher.find()) {
            throw new IllegalStateException("no start-up time in " + log);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** {@return the processor time that the application has used so far, by all its threads} */
    double cpuSeconds() {
        return process.info()
                .totalCpuDuration()
                .map(used -> used.toNanos() / 1e9)
                .orElse(Double.NaN);
    }

    /** Asks once and returns the status. */
    int status(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url(path))).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    private void awaitStart() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!STARTED.matcher(Files.readString(log)).find()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException("the application did not start:\n" + Files.readString(log));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

package io.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisExecProvider;

/** A redis-server of our own on 127.0.0.1, which can be killed, frozen and started again on the same port. */
public final class RedisProcess implements AutoCloseable {

    private final int port;

    private final List<String> settings;

    private final Path directory;

    private Process process;

    private RedisProcess(int port, List<String> settings) {
        this.port = port;
        this.settings = settings;
        try {
            this.directory = Files.createTempDirectory("redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server with settings as on its command line. */
    public static RedisProcess started(String... settings) {
        RedisProcess redis = notStarted(settings);
        redis.start();
        return redis;
    }

    public static RedisProcess notStarted(String... settings) {
        return new RedisProcess(freePort(), List.of(settings));
    }

    /**
     * Starts a sentinel that watches a master by the name of "main" and replaces it after half a second.
     *
     * @param password of the master and its replicas
     */
    static RedisProcess sentinel(RedisProcess master, String password) {
        RedisProcess sentinel = notStarted("--sentinel");
        String watched =
                """
                sentinel monitor main 127.0.0.1 %d 1
                sentinel auth-pass main %s
                sentinel down-after-milliseconds main 500
                sentinel failover-timeout main 1000
                """
                        .formatted(master.port(), password);
        try {
            Files.writeString(sentinel.configuration(), watched);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sentinel.start();
        return sentinel;
    }

    public int port() {
        return port;
    }

    void start() {
        try {
            List<String> command = new ArrayList<>(List.of(executable().getAbsolutePath()));
            if (Files.exists(configuration())) {
                command.add(configuration().toString());
            }
            command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
            command.addAll(List.of("--dir", directory.toString()));
            command.addAll(settings);
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Process started = process;
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
            soon().atMost(Duration.ofSeconds(30)).until(this::answers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks at once and then often: what hundreds of tests wait for takes a few milliseconds. */
    static ConditionFactory soon() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    /** As {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void freeze() {
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
    }

    <T> T ask(Function<RedisCommands<String, String>, T> question) {
        return ask("", question);
    }

    <T> T ask(String password, Function<RedisCommands<String, String>, T> question) {
        RedisURI server = RedisURI.create("127.0.0.1", port);
        if (!password.isEmpty()) {
            server.setCredentialsProvider(
                    RedisCredentialsProvider.from(() -> RedisCredentials.just("default", password)));
        }
        RedisClient client = RedisClient.create(server);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    LettuceConnectionFactory lettuce() {
        return lettuce("127.0.0.1", port);
    }

    /** What an application would have configured, with timeouts far above those of the limiter. */
    static LettuceConnectionFactory lettuce(String host, int port) {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .commandTimeout(Duration.ofSeconds(60))
                .shutdownTimeout(Duration.ZERO)
                .build();
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port), client);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    /**
     * A port that is free, as is the one ten thousand above, which a cluster node uses beside it. Virtual machines that
     * run tests at the same time look for theirs in different ranges.
     */
    static int freePort() {
        int range = 10_000 + 5_000 * (Integer.getInteger("surefire.forkNumber", 1) % 2);
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = range + (int) (Math.random() * 5_000);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }

    private Path configuration() {
        return directory.resolve("redis.conf");
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("redis-server %s ended with %d".formatted(settings, process.exitValue()));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            return answer.equals("+PONG") || answer.equals("-NOAU");
        } catch (IOException e) {
            return false;
        }
    }

    private void signal(String signal) {
        try {
            int status = new ProcessBuilder("kill", signal, "" + process.pid())
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill %s said %d".formatted(signal, status));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static synchronized File executable() throws IOException {
        return RedisExecProvider.defaultProvider().get();
    }
}

package io.ratelimit.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.RedisServer;

/** A real redis-server on a free port of the loopback interface, without persistence. */
final class RedisServerProcess implements AutoCloseable {

    /**
     * What Redis used since it started.
     *
     * @param cpuSeconds user and system time
     * @param commands commands executed
     */
    record Usage(double cpuSeconds, long commands) {}

    private final RedisServer server;

    private final int port;

    private final RedisClient client;

    private final StatefulRedisConnection<String, String> connection;

    RedisServerProcess() throws IOException {
        port = freePort();
        Path directory = Files.createTempDirectory("ratelimit-redis");
        server = RedisServer.builder()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .setting("dir " + directory)
                .build();
        server.start();
        client = RedisClient.create("redis://127.0.0.1:" + port);
        connection = client.connect();
    }

    int port() {
        return port;
    }

    void flush() {
        connection.sync().flushall();
    }

    long usedMemory() {
        return Long.parseLong(info("memory", "used_memory"));
    }

    /** {@return what MEMORY USAGE says of all keys together} */
    long bytesOfKeys() {
        return connection.sync().keys("*").stream()
                .mapToLong(key -> connection.sync().memoryUsage(key))
                .sum();
    }

    /** Fills a sorted set with times in microseconds as scores, and members that are unique. */
    void fillSortedSet(String key, int entries) {
        long now = System.currentTimeMillis() * 1_000;
        for (int i = 0; i < entries; i++) {
            connection.sync().zadd(key, now + i, now + i + "-" + i);
        }
    }

    Usage usage() {
        double cpu = Double.parseDouble(info("cpu", "used_cpu_sys")) + Double.parseDouble(info("cpu", "used_cpu_user"));
        long commands = info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
                .sum();
        return new Usage(cpu, commands);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
        server.stop();
    }

    private String info(String section) {
        return connection.sync().info(section);
    }

    private String info(String section, String field) {
        return info(section)
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .findFirst()
                .orElseThrow()
                .substring(field.length() + 1)
                .strip();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

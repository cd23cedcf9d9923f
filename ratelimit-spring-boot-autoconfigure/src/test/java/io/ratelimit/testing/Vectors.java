package io.ratelimit.testing;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads tables of decisions that an independent exact oracle computed. */
public final class Vectors {

    private Vectors() {}

    /**
     * One table.
     *
     * @param name file name
     * @param policy the limits of its head
     * @param rows its rows, cells split
     */
    public record Table(String name, Policy policy, List<String[]> rows) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** The tables of a folder whose names begin in a certain way. */
    public static Stream<Table> tables(String folder, String prefix) {
        try (Stream<Path> files = Files.list(folder(folder))) {
            return files
                    .filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .map(Vectors::read)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder(String name) {
        try {
            return Path.of(Objects.requireNonNull(Vectors.class.getResource("/vectors/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Table read(Path file) {
        List<Limit> limits = new ArrayList<>();
        List<String[]> rows = new ArrayList<>();
        for (String line : lines(file)) {
            if (line.startsWith("#") && line.contains("limit=")) {
                limits.add(limit(line));
            } else if (!line.startsWith("#") && Character.isDigit(line.charAt(0))) {
                rows.add(line.split(",", -1));
            }
        }
        String name = file.getFileName().toString();
        return new Table(name, Policy.of(name, limits.toArray(Limit[]::new)), rows);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Limit limit(String head) {
        Map<String, String> values = new HashMap<>();
        for (String word :
                head.replace("# limit: ", "algorithm=").replaceFirst("^# *", "").split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        Limit limit = Limit.ofMicros(
                Algorithm.valueOf(values.get("algorithm")),
                Long.parseLong(values.get("limit")),
                Long.parseLong(values.get("window_us")));
        if (values.containsKey("burst")) {
            limit = limit.withBurst(Long.parseLong(values.get("burst")));
        }
        String delay = values.getOrDefault("delay", "0");
        if (limit.algorithm() != Algorithm.LEAKY_BUCKET) {
            return limit;
        }
        return delay.equals("nodelay") ? limit.withNodelay() : limit.withDelay(Long.parseLong(delay));
    }
}

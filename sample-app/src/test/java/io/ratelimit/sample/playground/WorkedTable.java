package io.ratelimit.sample.playground;

import io.ratelimit.core.Algorithm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table worked out by hand; lines of one instant are taken together.
 *
 * @param algorithm whose table it is
 * @param times the instants, in microseconds
 * @param arrivals how many requests came
 * @param accepted how many of them were admitted
 */
record WorkedTable(Algorithm algorithm, List<Long> times, List<Integer> arrivals, List<Integer> accepted) {

    private static final Pattern ALGORITHM = Pattern.compile("# algorithm=(\\w+)");

    static WorkedTable read(String name) {
        String text = text("/worked/" + name + ".csv");
        Matcher matcher = ALGORITHM.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException(name + " does not name its algorithm");
        }
        WorkedTable table = new WorkedTable(
                Algorithm.valueOf(matcher.group(1)), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        text.lines().filter(line -> Character.isDigit(line.charAt(0))).forEach(table::add);
        return table;
    }

    private void add(String line) {
        String[] cells = line.split(",");
        long time = Long.parseLong(cells[0]);
        int last = times.size() - 1;
        if (last >= 0 && times.get(last) == time) {
            arrivals.set(last, arrivals.get(last) + Integer.parseInt(cells[1]));
            accepted.set(last, accepted.get(last) + Integer.parseInt(cells[2]));
        } else {
            times.add(time);
            arrivals.add(Integer.parseInt(cells[1]));
            accepted.add(Integer.parseInt(cells[2]));
        }
    }

    private static String text(String resource) {
        try (InputStream in = Objects.requireNonNull(WorkedTable.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

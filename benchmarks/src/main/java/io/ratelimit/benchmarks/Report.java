package io.ratelimit.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a benchmark runs and where its results go: tables to the console, charts to a folder.
 *
 * @param quick whether only to see that it works, in seconds; the numbers then mean nothing
 * @param charts the folder for charts; {@code null} for none
 */
record Report(boolean quick, @Nullable Path charts) {

    void table(MarkdownTable table) {
        System.out.println(table);
    }

    void chart(String name, BarChart chart) {
        if (charts == null) {
            return;
        }
        try {
            Files.createDirectories(charts);
            Files.writeString(charts.resolve(name + ".svg"), chart.svg());
        } catch (IOException e) {
            throw new UncheckedIOException("the chart '%s' could not be written to %s".formatted(name, charts), e);
        }
    }
}

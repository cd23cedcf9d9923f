package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the benchmarks from rotting: each runs for a moment and prints its table. What they measure is not asserted. */
class BenchmarkTests {

    @ParameterizedTest
    @CsvSource({
        "memory, floor: map + nanoTime + CAS",
        "heap, ratelimit token bucket",
        "sweep, 'decisions, nothing to sweep'",
        "accuracy, wrong decisions",
        "redis, ratelimit token bucket"
    })
    void everyBenchmarkPrintsItsTable(String name, String row) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            Benchmarks.main(new String[] {name, "quick"});
        } finally {
            System.setOut(console);
        }
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("| " + row);
    }
}

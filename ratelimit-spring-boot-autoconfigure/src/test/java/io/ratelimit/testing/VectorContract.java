package io.ratelimit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Decision;
import io.ratelimit.core.LimitStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the oracle's tables, all columns. */
public abstract class VectorContract extends BackendContract {

    static Stream<Vectors.Table> worked() {
        return Vectors.tables("worked", "");
    }

    static Stream<Vectors.Table> single() {
        return Stream.concat(Vectors.tables("generated", ""), Vectors.tables("more", "big-"));
    }

    static Stream<Vectors.Table> several() {
        return Vectors.tables("more", "several-");
    }

    static Stream<Vectors.Table> refunds() {
        return Vectors.tables("more", "refund-");
    }

    @ParameterizedTest
    @MethodSource("worked")
    void workedTablesAreReproduced(Vectors.Table table) {
        List<String> actual = new ArrayList<>();
        for (String[] row : table.rows()) {
            time.set(Long.parseLong(row[0]));
            actual.add(row[0] + "," + row[1] + "," + admitted(table.policy(), Long.parseLong(row[1])));
        }
        assertThat(actual).isNotEmpty().isEqualTo(expected(table));
    }

    @ParameterizedTest
    @MethodSource("single")
    void generatedDecisionsAreReproduced(Vectors.Table table) {
        List<String> actual = new ArrayList<>();
        for (String[] row : table.rows()) {
            time.set(Long.parseLong(row[0]));
            Decision decision = acquire(table.policy(), Long.parseLong(row[1]));
            actual.add(String.join(",", row[0], row[1], flag(decision), numbers(decision)));
        }
        assertThat(actual).isNotEmpty().isEqualTo(expected(table));
    }

    @ParameterizedTest
    @MethodSource("several")
    void severalLimitsDecideTogether(Vectors.Table table) {
        List<String> actual = new ArrayList<>();
        for (String[] row : table.rows()) {
            time.set(Long.parseLong(row[0]));
            Decision decision = acquire(table.policy(), Long.parseLong(row[1]));
            actual.add(String.join(
                    ",", row[0], row[1], flag(decision), remaining(decision), "" + decision.retryAfterMicros()));
        }
        assertThat(actual).isNotEmpty().isEqualTo(expected(table));
    }

    @ParameterizedTest
    @MethodSource("refunds")
    void refundsGiveBackWhatHasNotComeBackByItself(Vectors.Table table) {
        Map<String, Decision> decisions = new HashMap<>();
        List<String> actual = new ArrayList<>();
        for (String[] row : table.rows()) {
            time.set(Long.parseLong(row[3]));
            actual.add(String.join(",", row[0], row[1], row[2], row[3], row[4], outcome(table, row, decisions)));
        }
        assertThat(actual).isNotEmpty().isEqualTo(expected(table));
    }

    private String outcome(Vectors.Table table, String[] row, Map<String, Decision> decisions) {
        if (row[1].equals("refund")) {
            assertThat(decisions.get(row[2]).refund()).isTrue();
            return "1," + backend.peek(table.policy(), "alice").remaining() + ",0";
        }
        Decision decision = acquire(table.policy(), Long.parseLong(row[4]));
        decisions.put(row[0], decision);
        return flag(decision) + "," + decision.remaining() + "," + decision.retryAfterMicros();
    }

    private static List<String> expected(Vectors.Table table) {
        return table.rows().stream().map(row -> String.join(",", row)).toList();
    }

    private static String flag(Decision decision) {
        return decision.allowed() ? "1" : "0";
    }

    private static String numbers(Decision decision) {
        return decision.remaining() + "," + decision.retryAfterMicros() + "," + decision.resetAfterMicros() + ","
                + decision.delayMicros();
    }

    private static String remaining(Decision decision) {
        return String.join(
                ";",
                decision.limits().stream()
                        .map(LimitStatus::remaining)
                        .map(String::valueOf)
                        .toArray(String[]::new));
    }
}

package io.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Rows that print as a Markdown table. */
final class MarkdownTable {

    private final List<List<String>> rows = new ArrayList<>();

    MarkdownTable(String... header) {
        rows.add(List.of(header));
        rows.add(List.of(header).stream().map(title -> "---").toList());
    }

    MarkdownTable row(Object... cells) {
        rows.add(List.of(cells).stream().map(String::valueOf).toList());
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return text.toString();
    }
}

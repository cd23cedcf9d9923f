package io.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars as a picture in SVG: what must be, ours and the peers in a colour each, readable on light and dark. */
final class BarChart {

    private static final int WIDTH = 760;

    private static final int LABELS = 290;

    private static final int NUMBERS = 90;

    private static final int ROW = 26;

    private static final int TOP = 44;

    private final String title;

    private final String format;

    private final List<Bar> bars = new ArrayList<>();

    private record Bar(String label, double value) {

        String colour() {
            if (label.startsWith("floor") || label.startsWith("least") || label.endsWith("off")) {
                return "#8c959f";
            }
            return label.startsWith("ratelimit") || label.startsWith("sample") ? "#1f883d" : "#bf8700";
        }
    }

    /**
     * Creates a chart without bars.
     *
     * @param title what is measured, in which unit, and which is better
     * @param format of the numbers, such as "%.0f ns"
     */
    BarChart(String title, String format) {
        this.title = title;
        this.format = format;
    }

    BarChart bar(String label, double value) {
        bars.add(new Bar(label, value));
        return this;
    }

    String svg() {
        int height = TOP + ROW * bars.size() + 10;
        double largest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder svg = new StringBuilder(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="system-ui, sans-serif" font-size="13">
                <title>%s</title>
                <rect width="100%%" height="100%%" fill="#ffffff"/>
                <text x="12" y="24" font-size="15" font-weight="600" fill="#1f2328">%s</text>
                """
                        .formatted(WIDTH, height, escaped(title), escaped(title)));
        for (int i = 0; i < bars.size(); i++) {
            svg.append(row(bars.get(i), TOP + ROW * i, largest));
        }
        return svg.append("</svg>\n").toString();
    }

    private String row(Bar bar, int y, double largest) {
        double length = Math.max(1, bar.value / largest * (WIDTH - LABELS - NUMBERS));
        return String.format(
                Locale.ROOT,
                """
                <text x="%d" y="%d" text-anchor="end" fill="#1f2328">%s</text>
                <rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>
                <text x="%.1f" y="%d" fill="#59636e">%s</text>
                """,
                LABELS - 8,
                y + 15,
                escaped(bar.label),
                LABELS,
                y + 2,
                length,
                ROW - 8,
                bar.colour(),
                LABELS + length + 6,
                y + 15,
                String.format(Locale.ROOT, format, bar.value));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}

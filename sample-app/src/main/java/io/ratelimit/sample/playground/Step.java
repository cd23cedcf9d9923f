package io.ratelimit.sample.playground;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One thing to try, on the page or with curl.
 *
 * @param title what it shows
 * @param method the HTTP method
 * @param path path and query
 * @param headers what else to send
 * @param note what to see
 * @param times how often to send it to reach the limit
 */
public record Step(String title, String method, String path, Map<String, String> headers, String note, int times) {

    /** Everything the shop shows. */
    public static final List<Step> ALL = List.of(
            step(
                    "Fixed window",
                    "GET",
                    "/shop/products",
                    "10 in every minute of the clock, by annotation. A shadow rule beside it decides without refusing.",
                    12),
            step(
                    "Sliding counter",
                    "GET",
                    "/shop/products/search?text=apple",
                    "5 per 30 s, smoothed over the edge of the window.",
                    6),
            step(
                    "Sliding log, a key per customer",
                    "POST",
                    "/shop/customers/ada/orders?product=plum",
                    "3 in any minute, counted for each customer alone.",
                    4),
            step(
                    "Token bucket, cost per call",
                    "GET",
                    "/shop/customers/ada/invoices?pages=8",
                    "Each page costs a token: 20 at once, 10 more each minute.",
                    3),
            step(
                    "Leaky bucket, waiting in line",
                    "GET",
                    "/shop/products/stock",
                    "2 a second at an even pace; four wait for their turn without holding a thread.",
                    6),
            step(
                    "Two limits in one rule",
                    "GET",
                    "/shop/reviews",
                    "20 a minute and 3 a second, from application.yml; both or neither are charged.",
                    4),
            step(
                    "Failed logins",
                    "POST",
                    "/shop/login?user=ada&password=wrong",
                    "Five failed logins per 15 minutes; good ones (password=apple) are free.",
                    6),
            new Step(
                    "Plan PRO",
                    "GET",
                    "/shop/prices",
                    Map.of("X-API-Key", "pro-7f3a"),
                    "50 a minute for this API key.",
                    10),
            step("Plan FREE", "GET", "/shop/prices", "5 a minute without an API key.", 6),
            step(
                    "Fallback",
                    "GET",
                    "/shop/products/recommended",
                    "3 a minute; then the bestsellers answer instead of a 429.",
                    4));

    /**
     * Writes the step as a command to paste into a shell.
     *
     * @param origin scheme, host and port
     * @return a curl command
     */
    public String curl(String origin) {
        String more = headers.entrySet().stream()
                .map(header -> "-H '%s: %s' ".formatted(header.getKey(), header.getValue()))
                .collect(Collectors.joining());
        String verb = method.equals("GET") ? "" : "-X " + method + " ";
        return "curl -i " + verb + more + "'" + origin + path + "'";
    }

    private static Step step(String title, String method, String path, String note, int times) {
        return new Step(title, method, path, Map.of(), note, times);
    }
}

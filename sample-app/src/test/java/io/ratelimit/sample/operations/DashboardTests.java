package io.ratelimit.sample.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.sample.SampleApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts in docs/grafana ask for nothing that a scrape of the sample does not have. */
class DashboardTests {

    private static final Pattern SELECTOR = Pattern.compile("(ratelimit_[a-z_]+)(?:\\{([^}]*)})?");

    private static final Pattern MATCHER = Pattern.compile("([a-z]+)(=~?)\"([^\"]*)\"");

    /** Prometheus adds it, from the address it scrapes. */
    private static final String INSTANCE = "instance";

    private static ConfigurableApplicationContext sample;

    private static List<String> scrape;

    /** With Redis configured, though there is none: its meters have to be there from the start. */
    @BeforeAll
    static void scrape() throws IOException, InterruptedException {
        sample = new SpringApplicationBuilder(SampleApplication.class)
                .profiles("redis")
                .properties("spring.main.banner-mode=off")
                .run("--server.port=0", "--spring.data.redis.port=1");
        String port = sample.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                .timeout(Duration.ofSeconds(30))
                .build();
        scrape = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("ratelimit_"))
                .toList();
    }

    @AfterAll
    static void stop() {
        sample.close();
    }

    @Test
    void everyPanelOfTheDashboardHasItsMetrics() throws IOException {
        Map<String, Object> dashboard = JsonParserFactory.getJsonParser()
                .parseMap(Files.readString(grafana().resolve("ratelimit-dashboard.json")));

        List<String> expressions = expressions(dashboard.get("panels"));

        assertThat(expressions).hasSizeGreaterThanOrEqualTo(9).allSatisfy(DashboardTests::assertScraped);
        assertThat(dashboard).containsEntry("title", "Rate limits").containsKeys("uid", "schemaVersion", "templating");
    }

    @Test
    void everyAlertHasItsMetrics() throws IOException {
        Object alerts = new Yaml().load(Files.readString(grafana().resolve("alerts.yml")));

        List<String> expressions = expressions(alerts);

        assertThat(expressions).hasSizeGreaterThanOrEqualTo(5).allSatisfy(DashboardTests::assertScraped);
    }

    @Test
    void everyMetricIsOnTheDashboard() throws IOException {
        String dashboard = Files.readString(grafana().resolve("ratelimit-dashboard.json"));
        Set<String> scraped = scrape.stream()
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(scraped).hasSizeGreaterThanOrEqualTo(9).allSatisfy(name -> assertThat(dashboard)
                .contains(name));
    }

    /** Each metric exists, and some line of it satisfies all that is asked of its labels. */
    private static void assertScraped(String expression) {
        List<MatchResult> selectors = SELECTOR.matcher(expression).results().toList();
        assertThat(selectors).describedAs(expression).isNotEmpty();
        for (MatchResult selector : selectors) {
            String labels = selector.group(2) == null ? "" : selector.group(2);
            assertThat(scrape)
                    .describedAs(selector.group())
                    .anyMatch(line ->
                            line.matches(Pattern.quote(selector.group(1)) + "[{ ].*") && satisfies(line, labels));
        }
    }

    private static boolean satisfies(String line, String labels) {
        return MATCHER.matcher(labels)
                .results()
                .filter(label -> !label.group(1).equals(INSTANCE))
                .allMatch(label -> {
                    boolean variable = label.group(3).startsWith("$");
                    String value = variable
                            ? "[^\"]+"
                            : label.group(2).equals("=~")
                                    ? "(?:" + label.group(3) + ")"
                                    : Pattern.quote(label.group(3));
                    return Pattern.compile("[{,]" + label.group(1) + "=\"" + value + "\"")
                            .matcher(line)
                            .find();
                });
    }

    /** All texts under the name "expr". */
    private static List<String> expressions(Object node) {
        List<String> found = new ArrayList<>();
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if ("expr".equals(name)) {
                    found.add((String) value);
                }
                found.addAll(expressions(value));
            });
        } else if (node instanceof List<?> list) {
            list.forEach(value -> found.addAll(expressions(value)));
        }
        return found;
    }

    private static Path grafana() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/grafana"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/grafana");
    }
}

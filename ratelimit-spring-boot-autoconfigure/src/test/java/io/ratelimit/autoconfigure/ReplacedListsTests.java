package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A profile or the environment replaces a list of {@code application.yml}, which is no mistake. */
class ReplacedListsTests {

    private static final String BASE =
            """
            ratelimit:
              policies:
                plan: { limits: [ { limit: 9, window: 1m, burst: 3 }, { limit: 5, window: 1s } ] }
              rules:
                - { name: api, paths: [/api/**, /v2/**], exclude: [/api/health], limit: 5, window: 1m }
                - { name: login, paths: /login, limit: 2, window: 1m }
            """;

    private static final String ONE_RULE = "{ name: api, paths: /api/**, limit: 50, window: 1m }";

    @Test
    void profileWithoutExclude() {
        String both = "ratelimit: { rules: [ %s, { name: login, paths: /login, limit: 3, window: 1m } ] }"
                .formatted(ONE_RULE);

        assertThat(rules(BASE, yaml(both))).containsExactly("api 50 [/api/**] []", "login 3 [/login] []");
    }

    @Test
    void profileWithFewerRules() {
        assertThat(rules(BASE, yaml("ratelimit: { rules: [ %s ] }".formatted(ONE_RULE))))
                .containsExactly("api 50 [/api/**] []");
    }

    @Test
    void profileWithoutRules() {
        assertThat(rules(BASE, yaml("ratelimit: { rules: [] }"))).isEmpty();
    }

    @Test
    void profileWithFewerLimitsOfAPolicy() {
        String profile = "ratelimit: { policies: { plan: { limits: [ { limit: 7, window: 1m } ] } } }";

        assertThat(bound(BASE, yaml(profile)).policies().get("plan").limits()).hasSize(1);
    }

    @Test
    void profileWithFewerValues() {
        String base = "ratelimit: { web: { headers: [ ietf, draft-03 ] } }";

        assertThat(bound(base, yaml("ratelimit: { web: { headers: [ none ] } }"))
                        .web()
                        .headers())
                .hasSize(1);
    }

    @Test
    void misspelledKeyOfAReplacedListStillFails() {
        String base = "ratelimit: { rules: [ { name: api, paths: /, limit: 5, window: 1m, excludes: /x } ] }";

        assertThat(failure(base, yaml("ratelimit: { rules: [ %s ] }".formatted(ONE_RULE)))
                        .getDescription())
                .startsWith("ratelimit.rules[0].excludes does not exist");
    }

    @Test
    void misspelledKeyOfTheReplacingListFails() {
        String profile = "ratelimit: { rules: [ { name: api, paths: /, limit: 5, windw: 1m } ] }";

        assertThat(failure(BASE, yaml(profile)).getDescription()).startsWith("ratelimit.rules[0].windw does not exist");
    }

    @Test
    void misspelledKeyBesideAReplacedListFails() {
        String base = BASE + "  shadw: true";

        assertThat(failure(base, yaml("ratelimit: { rules: [] }")).getDescription())
                .startsWith("ratelimit.shadw does not exist");
    }

    @Test
    void incompleteRuleOfTheEnvironmentSaysWhatIsMissing() {
        FailureAnalysis failure = failure(BASE, environment(Map.of("RATELIMIT_RULES_0_LIMIT", "50")));

        assertThat(failure.getDescription())
                .isEqualTo("ratelimit.rules[0]: name, paths, window are missing; the list of rules comes from"
                        + " 'systemEnvironment' alone, which replaces all rules of lower sources.");
        assertThat(failure.getAction())
                .isEqualTo("Repeat every rule there as a whole, or let the lower source read a single value with a"
                        + " placeholder such as ${API_LIMIT:100}.");
    }

    @Test
    void gapInTheRulesOfTheEnvironmentIsNamed() {
        FailureAnalysis failure = failure(BASE, environment(Map.of("RATELIMIT_RULES_1_LIMIT", "50")));

        assertThat(failure.getDescription()).startsWith("ratelimit.rules[1].limit stands behind a gap in its list");
        assertThat(failure.getAction())
                .isEqualTo("A list comes from one source alone: give it all its elements there, numbered from 0.");
    }

    @Test
    void wholeRuleOfTheEnvironmentReplacesTheList() {
        Map<String, Object> variables = Map.of(
                "RATELIMIT_RULES_0_NAME", "all",
                "RATELIMIT_RULES_0_PATHS", "/**",
                "RATELIMIT_RULES_0_LIMIT", "50",
                "RATELIMIT_RULES_0_WINDOW", "1m");

        assertThat(rules(BASE, environment(variables))).containsExactly("all 50 [/**] []");
    }

    @Test
    void whatTheStartAcceptsIsAcceptedLive() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.addFirst(StartupFailure.yaml(BASE));
        sources.addFirst(yaml("ratelimit: { rules: [ %s ] }".formatted(ONE_RULE)));

        assertThat(new PropertyReader(environment).read().rules()).hasSize(1);
    }

    @Test
    void whatTheStartRefusesIsRefusedLive() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.addFirst(StartupFailure.yaml(BASE));
        sources.addFirst(environment(Map.of("RATELIMIT_RULES_0_LIMIT", "50")));
        PropertyReader reader = new PropertyReader(environment);

        RuntimeException failure = catchRuntimeException(reader::read);

        assertThat(reader.explain(failure)).startsWith("ratelimit.rules[0]: name, paths, window are missing");
    }

    private static List<String> rules(String base, PropertySource<?> higher) {
        return bound(base, higher).rules().stream()
                .map(rule -> "%s %s %s %s".formatted(rule.name(), rule.limit(), rule.paths(), rule.exclude()))
                .toList();
    }

    private static RateLimitProperties bound(String base, PropertySource<?> higher) {
        AtomicReference<RateLimitProperties> bound = new AtomicReference<>();
        runner(base, higher).run(context -> bound.set(context.getBean(RateLimitProperties.class)));
        return bound.get();
    }

    private static FailureAnalysis failure(String base, PropertySource<?> higher) {
        AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
        runner(base, higher)
                .run(context ->
                        analysis.set(StartupFailure.analyze(context.getStartupFailure(), new StandardEnvironment())));
        return analysis.get();
    }

    private static ApplicationContextRunner runner(String base, PropertySource<?> higher) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withInitializer(context -> {
                    MutablePropertySources sources = context.getEnvironment().getPropertySources();
                    sources.addFirst(StartupFailure.yaml(base));
                    if (sources.contains(higher.getName())) {
                        sources.remove(higher.getName());
                    }
                    sources.addFirst(higher);
                });
    }

    private static PropertySource<?> yaml(String text) {
        return new OriginTrackedMapPropertySource(
                "profile", (Map<?, ?>) StartupFailure.yaml(text).getSource());
    }

    private static PropertySource<?> environment(Map<String, Object> variables) {
        return new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
    }
}

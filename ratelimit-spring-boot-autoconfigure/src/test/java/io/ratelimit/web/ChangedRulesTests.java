package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitText;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.web.FilterObject.Rule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletRequest;

/** Rules that change while a request is between the two phases. */
class ChangedRulesTests {

    @ParameterizedTest
    @EnumSource
    void ruleThatChangesItsPhaseCountsTheRequestUnderWayOnce(Phase before) throws Exception {
        Phase after = before == Phase.BEFORE_SECURITY ? Phase.AFTER_SECURITY : Phase.BEFORE_SECURITY;
        try (FilterObject filter = new FilterObject(
                1_000, ClientAddress.Settings.DEFAULT, (request, response) -> {}, List.of(), rule(before))) {
            filter.security = () -> filter.change(rule(after));
            assertThat(remaining(filter)).containsExactly("\"api\";r=4;t=60");

            filter.security = () -> {};
            assertThat(remaining(filter)).containsExactly("\"api\";r=3;t=60");
        }
    }

    private static List<String> remaining(FilterObject filter) throws Exception {
        return filter.send(new MockHttpServletRequest("GET", "/api")).getHeaders("RateLimit");
    }

    private static Rule rule(Phase phase) {
        return new Rule(
                LimitDeclaration.ofRule("api")
                        .limit(LimitText.of("5", "1m", "sliding-log"))
                        .key("'all'")
                        .phase(phase),
                "/**");
    }
}

package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitText;
import io.ratelimit.web.FilterObject.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** An application that registers the filters twice, say inside Spring Security's chain too. */
class RepeatedFilterTests {

    private static final Rule RULE =
            new Rule(LimitDeclaration.ofRule("api").limit(LimitText.of("3", "1m", "sliding-log")), "/**");

    @Test
    void aRequestThatMeetsTheFiltersTwiceIsCountedOnce() throws Exception {
        FilterObject[] filters = new FilterObject[1];
        int[] passes = {0};
        try (FilterObject filter = new FilterObject(
                1_000,
                ClientAddress.Settings.DEFAULT,
                (request, response) -> {
                    if (passes[0]++ == 0) {
                        filters[0].chain(request, response);
                    }
                },
                List.of(),
                RULE)) {
            filters[0] = filter;
            MockHttpServletResponse response = filter.send(new MockHttpServletRequest("GET", "/api/hello"));
            assertThat(passes[0]).isEqualTo(2);
            assertThat(response.getHeaders("RateLimit")).hasSize(1);
            assertThat(response.getHeader("RateLimit")).isEqualTo("\"api\";r=2;t=60");
        }
    }
}

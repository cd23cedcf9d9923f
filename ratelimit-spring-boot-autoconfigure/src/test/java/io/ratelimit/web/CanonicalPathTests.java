package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

class CanonicalPathTests {

    private static final PathPattern LOGIN = PathPatternParser.defaultInstance.parse("/api/login");

    private static RequestPaths paths(String contextPath, String uri) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", uri);
        request.setRequestURI(uri);
        request.setContextPath(contextPath);
        return RequestPaths.of(request);
    }

    @ParameterizedTest
    @CsvSource({
        "'', /api/login",
        "'', /api/login/",
        "'', //api/login",
        "'', /api//login",
        "'', /api///login//",
        "'', /api/./login",
        "'', /api/x/../login",
        "'', /../api/login",
        "'', /api/login/.",
        "'', /api/login;x=1",
        "'', /api;a=b/login;x=1;y=2",
        "'', /api/%6cogin",
        "'', /%61%70%69/login",
        "'', /api/x/%2e%2e/login",
        "'', /api/x%2f..%2flogin",
        "'', /api%2Flogin",
        "/shop, /shop/api/login",
        "/shop, /shop/api/login;x",
        "/%73hop, /%73hop/api/%6cogin",
    })
    void everySpellingMeetsTheRule(String contextPath, String uri) {
        RequestPaths paths = paths(contextPath, uri);
        assertThat(paths.canonical()).isEqualTo("/api/login");
        assertThat(paths.matches(LOGIN)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"/api/logins", "/api", "/", "/API/login", "/api/login/x", "/api/login%20", "/api/login%00", "/api/%"})
    void otherPathsDoNot(String uri) {
        assertThat(paths("", uri).matches(LOGIN)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/login, true",
        "/api/login;x=1, true",
        "/api/%6cogin, true",
        "/api/login/, false",
        "//api/login, false",
        "/x/../api/login, false",
    })
    void anExclusionHoldsOnlyIfEverybodyWouldReadItSo(String uri, boolean excluded) {
        assertThat(paths("", uri).matchesInEverySpelling(LOGIN)).isEqualTo(excluded);
    }

    @ParameterizedTest
    @CsvSource({"'', '', /", "'', /, /", "/shop, /shop, /", "/shop, /shop/, /", "'', ///, /"})
    void theRootIsASlash(String contextPath, String uri, String canonical) {
        assertThat(paths(contextPath, uri).canonical()).isEqualTo(canonical);
    }
}

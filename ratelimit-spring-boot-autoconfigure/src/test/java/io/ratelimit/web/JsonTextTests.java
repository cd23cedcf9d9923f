package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTextTests {

    @Test
    void membersFollowEachOther() {
        String json = new JsonText()
                .string("a", "b")
                .number("n", 429)
                .strings("l", List.of("x", "y"))
                .end();
        assertThat(json).isEqualTo("{\"a\":\"b\",\"n\":429,\"l\":[\"x\",\"y\"]}");
    }

    @Test
    void whatCouldEndTheStringOrBeMarkupIsEscaped() {
        String json = new JsonText()
                .string("a", "\"\\\n\r\t\u0000\u007f</script>&\u2028")
                .end();
        assertThat(json)
                .isEqualTo(
                        "{\"a\":\"\\\"\\\\\\u000a\\u000d\\u0009\\u0000\\u007f\\u003c/script\\u003e\\u0026\\u2028\"}");
    }

    @Test
    void textOfOtherScriptsIsKept() {
        assertThat(new JsonText().string("a", "请求过多 😀").end()).isEqualTo("{\"a\":\"请求过多 😀\"}");
    }

    @Test
    void loneSurrogatesAreEscaped() {
        assertThat(new JsonText().string("a", "\ud83d").end()).isEqualTo("{\"a\":\"\\ud83d\"}");
        assertThat(new JsonText().string("a", "\ude00\ud83d\ud83d\ude00").end())
                .isEqualTo("{\"a\":\"\\ude00\\ud83d\ud83d\ude00\"}");
    }

    @Test
    void asciiEscapesEverythingElse() {
        assertThat(JsonText.ascii("{\"a\":\"é😀\"}")).isEqualTo("{\"a\":\"\\u00e9\\ud83d\\ude00\"}");
    }
}

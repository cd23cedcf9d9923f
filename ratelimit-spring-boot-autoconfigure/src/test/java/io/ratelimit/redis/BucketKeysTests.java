package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

class BucketKeysTests {

    private static final List<String> ODD = List.of(
            "",
            "{",
            "}",
            "{}",
            "a{b}",
            "c{b}",
            "%7b",
            "%",
            ":",
            " ",
            "\0",
            "\n",
            "😀",
            "\ud83d",
            "\ude00",
            "漢字",
            "#",
            "x".repeat(128),
            "x".repeat(129),
            "y".repeat(5_000),
            "é".repeat(5_000));

    private final BucketKeys keys = new BucketKeys("ratelimit:");

    @Test
    void plainTextStaysReadable() {
        assertThat(keys.bucket("api", "203.0.113.7")).isEqualTo("ratelimit:{api:203.0.113.7}");
        assertThat(keys.bucket("A.b", "user@example.org")).isEqualTo("ratelimit:{A.b:user@example.org}");
    }

    @Test
    void otherTextIsEscaped() {
        assertThat(keys.bucket("a b", "{ü}\0")).isEqualTo("ratelimit:{a%20b:%7b%c3%bc%7d%00}");
        assertThat(BucketKeys.encode("\ud83d")).isEqualTo("%ud83d");
        assertThat(BucketKeys.encode("😀")).isEqualTo("%f0%9f%98%80");
    }

    @Test
    void differentPairsNeverMeet() {
        Set<String> names = new HashSet<>();
        for (String policy : ODD) {
            for (String key : ODD) {
                names.add(keys.bucket(policy, key));
            }
        }
        assertThat(names).hasSize(ODD.size() * ODD.size());
    }

    @Test
    void noKeyIsLong() {
        for (String key : ODD) {
            assertThat(keys.bucket(key, key).length()).isLessThanOrEqualTo("ratelimit:{:}".length() + 2 * 128);
        }
    }

    @Test
    void aMebibyteIsNoProblem() {
        assertThat(keys.bucket("p", "é".repeat(1 << 20)).length()).isEqualTo("ratelimit:{p:#}".length() + 43);
    }

    @Test
    void allKeysOfABucketShareASlot() {
        Limit log = Limit.ofMicros(Algorithm.SLIDING_LOG, 1, 1_000_000);
        BucketLayout layout =
                new BucketLayout(Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, 1_000_000), log, log));
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            String key = i < ODD.size() ? ODD.get(i) : Long.toString(random.nextLong(), 36);
            Set<Integer> slots = new HashSet<>();
            for (byte[] name : BucketKeys.all(keys.bucket("p", key), layout)) {
                slots.add(ClusterSlotHashUtil.calculateSlot(name));
            }
            assertThat(slots).hasSize(1);
        }
    }

    @Test
    void limitsOfOneBucketHaveKeysOfTheirOwn() {
        Limit log = Limit.ofMicros(Algorithm.SLIDING_LOG, 1, 1_000_000);
        BucketLayout layout =
                new BucketLayout(Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1, 1_000_000), log, log));
        assertThat(List.of(BucketKeys.all("b", layout)))
                .map(key -> new String(key, StandardCharsets.UTF_8))
                .containsExactly("b", "b:1:1000000", "b:2:1000000");
    }

    @Test
    void aPrefixWithBracesIsRefused() {
        assertThatThrownBy(() -> new RedisSettings(
                        "{app}:",
                        RedisSettings.defaults().timeout(),
                        RedisSettings.defaults().onFailure(),
                        RedisSettings.DenyCacheSettings.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ratelimit.redis.key-prefix '{app}:' contains a brace, which would decide the hash slot;"
                        + " remove it");
    }
}

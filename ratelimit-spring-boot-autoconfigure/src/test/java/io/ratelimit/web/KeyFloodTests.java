package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitText;
import io.ratelimit.web.FilterObject.Rule;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Ten million clients, each with an address of its own, against room for a hundred thousand. */
@Tag("long")
class KeyFloodTests {

    private static final int MAX_KEYS = 100_000;

    private static final int CLIENTS = 10_000_000;

    private static final int PART = 1_000_000;

    private static final long SPARE_BYTES = 16L << 20;

    @Test
    @Timeout(900)
    void aFloodOfKeysNeitherGrowsTheHeapNorFreesWhoIsExhausted() throws Exception {
        Rule rule = new Rule(
                LimitDeclaration.ofRule("api")
                        .limit(LimitText.of("5", "1h", "sliding-counter"))
                        .key("ip"),
                "/**");
        try (FilterObject filter = new FilterObject(
                MAX_KEYS, ClientAddress.Settings.DEFAULT, (request, response) -> {}, List.of(), rule)) {
            exhaust(filter);
            double first = flood(filter, 0);
            long heap = usedHeap();
            double last = first;
            for (int from = PART; from < CLIENTS; from += PART) {
                last = flood(filter, from);
                assertThat(send(filter, "192.0.2.1").getStatus()).isEqualTo(429);
            }
            long grown = usedHeap() - heap;
            System.out.printf(
                    "flood: %,d requests/s in the first million, %,d in the last; heap %+,d KiB since the first%n",
                    (long) first, (long) last, grown >> 10);
            assertThat(grown).isLessThan(SPARE_BYTES);
        }
    }

    private static void exhaust(FilterObject filter) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(send(filter, "192.0.2.1").getStatus()).isEqualTo(200);
        }
        assertThat(send(filter, "192.0.2.1").getStatus()).isEqualTo(429);
    }

    /** Sends one request for each of a million clients. */
    private static double flood(FilterObject filter, int from) throws Exception {
        long start = System.nanoTime();
        for (int i = from; i < from + PART; i++) {
            String address = "10." + (i >> 16) + '.' + (i >> 8 & 255) + '.' + (i & 255);
            int status = send(filter, address).getStatus();
            if (status != 200 && status != 429) {
                throw new AssertionError("client %s was answered %d".formatted(address, status));
            }
        }
        return PART * 1e9 / (System.nanoTime() - start);
    }

    private static MockHttpServletResponse send(FilterObject filter, String address) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/hello");
        request.setRemoteAddr(address);
        return filter.send(request);
    }

    static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}

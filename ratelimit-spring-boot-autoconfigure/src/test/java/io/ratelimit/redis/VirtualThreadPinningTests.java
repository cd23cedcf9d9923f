package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual threads that decide on both backends never pin their carrier (reported as resilience4j/resilience4j#2240). The
 * recorder of the JVM tells; it knows virtual threads from Java 21 on.
 */
@Tag("long")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads before Java 21")
class VirtualThreadPinningTests {

    private static final int THREADS = 200;

    private static final int CALLS = 50;

    @Test
    void nothingOfOursPinsAVirtualThread(@TempDir Path directory) throws Exception {
        Policy policy = Policy.of("pinning", Limit.ofMicros(Algorithm.SLIDING_LOG, 1_000, 3_600_000_000L));
        Path file = directory.resolve("pinning.jfr");
        try (RedisBackend redis = SharedRedis.backend(null);
                MemoryBackend memory = new MemoryBackend(TimeSource.system(), 10_000);
                Recording recording = new Recording()) {
            loadClasses(redis, memory);
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            AtomicLong admitted = new AtomicLong();
            onVirtualThreads(() -> {
                for (int i = 0; i < CALLS; i++) {
                    boolean here = memory.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                            .allowed();
                    boolean there = redis.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                            .allowed();
                    admitted.addAndGet((here ? 1 : 0) + (there ? 1 : 0));
                }
            });
            recording.stop();
            recording.dump(file);
            assertThat(admitted).hasValue(2_000);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(VirtualThreadPinningTests::isOurs)
                .isEmpty();
    }

    /** A thread that waits for another one to load a class is pinned, once, whoever wrote the class. */
    private static void loadClasses(Backend... backends) {
        Policy policy = Policy.of("warm", Limit.ofMicros(Algorithm.SLIDING_LOG, 1, 3_600_000_000L));
        for (Backend backend : backends) {
            assertThat(backend.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                            .allowed())
                    .isTrue();
            assertThat(backend.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                            .allowed())
                    .isFalse();
        }
    }

    private static boolean isOurs(RecordedEvent event) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("io.ratelimit."));
    }

    /** The factory of virtual threads is named here by reflection, since this code must compile on Java 17. */
    private static void onVirtualThreads(Runnable work) throws Exception {
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(work));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}

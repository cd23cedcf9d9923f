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
import java.util.concurrent.locks.LockSupport;
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
        AtomicLong admitted = new AtomicLong();
        try (RedisBackend redis = SharedRedis.backend(null);
                MemoryBackend memory = new MemoryBackend(TimeSource.system(), 10_000)) {
            loadClasses(redis, memory);
            assertThat(pinnedIn(directory, () -> {
                        for (int i = 0; i < CALLS; i++) {
                            boolean here = memory.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                                    .allowed();
                            boolean there = redis.acquire(policy, "alice", 1, Acquisition.Mode.SPEND)
                                    .allowed();
                            admitted.addAndGet((here ? 1 : 0) + (there ? 1 : 0));
                        }
                    }))
                    .isEmpty();
        }
        assertThat(admitted).hasValue(2_000);
    }

    @Test
    void aPinnedThreadWouldBeSeen(@TempDir Path directory) throws Exception {
        assertThat(pinnedIn(directory, PinsOnce::touch)).isNotEmpty();
    }

    /** Blocks in its initialiser, below a native frame. Up to Java 23 blocking in a monitor pins as well. */
    static final class PinsOnce {

        static {
            LockSupport.parkNanos(50_000_000);
        }

        static void touch() {}
    }

    /** Pins below a method of ours, while virtual threads do the work. */
    private static List<RecordedEvent> pinnedIn(Path directory, Runnable work) throws Exception {
        Path file = directory.resolve("pinning.jfr");
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            onVirtualThreads(work);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(VirtualThreadPinningTests::isOurs)
                .toList();
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

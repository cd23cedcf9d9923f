package io.ratelimit.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many decisions in memory all threads make together. (The time of each would be averaged over threads first; where more of
 * them than processors take turns, one that the system keeps waiting for a second would outweigh all others.)
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms2g",
            "-Xmx2g",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,io.ratelimit.benchmarks.Contestant::answer"
        })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class MemoryBenchmark {

    /** What decides, shared by all threads. */
    @State(Scope.Benchmark)
    public static class Limiter {

        @Param("FLOOR")
        String contestant = "FLOOR";

        Contestant limiter = key -> false;

        @Setup
        public void create() {
            limiter = Contestant.Kind.valueOf(contestant).create(Contestant.PLENTY);
        }
    }

    /** The keys that a thread asks for, in its own order. */
    @State(Scope.Thread)
    public static class Traffic {

        @Param("HOT")
        String workload = "HOT";

        private String[] keys = {};

        private int next;

        /**
         * Where there are many keys, asks for each once and lets the collector move what is kept for them. It does so sooner or
         * later wherever something is allocated; without this, only the floor would keep its states side by side with their keys.
         */
        @Setup
        public void create(Limiter limiter) {
            keys = Workload.valueOf(workload).sequence(Thread.currentThread().getId());
            if (Workload.valueOf(workload) != Workload.HOT) {
                for (String key : keys) {
                    limiter.limiter.tryAcquire(key);
                }
                System.gc();
            }
        }

        String next() {
            return keys[next++ & (keys.length - 1)];
        }
    }

    @Benchmark
    public boolean decide(Limiter limiter, Traffic traffic) {
        return limiter.limiter.tryAcquire(traffic.next());
    }
}

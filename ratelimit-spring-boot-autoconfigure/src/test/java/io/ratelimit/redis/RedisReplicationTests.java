package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ReadFrom;
import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.FailurePolicy;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A master and a replica with a password: decisions are made by the master, whichever that is. */
class RedisReplicationTests {

    private static final String PASSWORD = "of-both-servers";

    private static final Policy POLICY = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1_000, 86_400_000_000L));

    /** Denies, so that whatever was counted was counted by Redis; waits long, because the machine may be busy. */
    private static final RedisSettings SETTINGS =
            RedisSettings.defaults().withOnFailure(FailurePolicy.DENY).withTimeout(Duration.ofSeconds(1));

    private final RedisProcess one =
            RedisProcess.started(("--requirepass %1$s --masterauth %1$s --repl-diskless-sync-delay 0")
                    .formatted(PASSWORD)
                    .split(" "));

    private final RedisProcess other = RedisProcess.started(
            ("--requirepass %1$s --masterauth %1$s --repl-diskless-sync-delay 0 --replicaof 127.0.0.1 %2$d")
                    .formatted(PASSWORD, one.port())
                    .split(" "));

    @BeforeEach
    void awaitReplication() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> other.ask(
                        PASSWORD, redis -> redis.info("replication"))
                .contains("master_link_status:up"));
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    @Test
    void theMasterOfAStaticListDecidesWhereverItStands() {
        RedisStaticMasterReplicaConfiguration nodes =
                new RedisStaticMasterReplicaConfiguration("127.0.0.1", other.port()).node("127.0.0.1", one.port());
        nodes.setPassword(RedisPassword.of(PASSWORD));
        LettuceConnectionFactory factory = lettuce(nodes, ReadFrom.REPLICA_PREFERRED);
        try (RedisBackend backend = backend(factory)) {
            assertThat(remaining(backend)).isEqualTo(999);
            swap(one, other);
            awaitAsked(backend);
            assertThat(remaining(backend)).isBetween(900L, 998L);
        } finally {
            factory.destroy();
        }
    }

    @Test
    void theMasterDecidesEvenIfReplicasArePreferredAndAReplicaIsConfigured() {
        RedisStandaloneConfiguration replica = new RedisStandaloneConfiguration("127.0.0.1", other.port());
        replica.setPassword(PASSWORD);
        LettuceConnectionFactory factory = lettuce(replica, ReadFrom.REPLICA);
        try (RedisBackend backend = backend(factory)) {
            assertThat(remaining(backend)).isEqualTo(999);
            assertThat(remaining(backend)).isEqualTo(998);
        } finally {
            factory.destroy();
        }
    }

    @Test
    @Tag("long")
    void sentinelsLeadToWhoeverIsMaster() {
        try (RedisProcess sentinel = RedisProcess.sentinel(one, PASSWORD)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> knowsOneGoodReplica(sentinel));
            RedisSentinelConfiguration watched =
                    new RedisSentinelConfiguration().master("main").sentinel("127.0.0.1", sentinel.port());
            watched.setPassword(PASSWORD);
            LettuceConnectionFactory lettuce = lettuce(watched, ReadFrom.REPLICA_PREFERRED);
            JedisConnectionFactory jedis = new JedisConnectionFactory(watched);
            jedis.afterPropertiesSet();
            jedis.start();
            try (RedisBackend backend = backend(lettuce);
                    RedisBackend second = backend(jedis)) {
                assertThat(remaining(backend)).isEqualTo(999);
                assertThat(remaining(second)).isEqualTo(998);
                try (Load load =
                        Load.on(backend, Policy.of("load", POLICY.limits().get(0)), 8)) {
                    Awaitility.await().until(() -> load.asked() > 100);
                    one.ask(PASSWORD, redis -> redis.waitForReplication(1, 10_000));
                    one.kill();
                    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isMaster(other));
                    awaitAsked(backend);
                    awaitAsked(second);
                    assertThat(load.stop().millis(100)).isLessThan(5_000);
                }
                assertThat(remaining(backend)).isBetween(900L, 997L);
            } finally {
                lettuce.destroy();
                jedis.destroy();
            }
        }
    }

    /** As an operator does: the master stops writing, the replica takes over. */
    private static void swap(RedisProcess master, RedisProcess replica) {
        master.ask(PASSWORD, redis -> redis.waitForReplication(1, 10_000));
        replica.ask(PASSWORD, redis -> redis.replicaofNoOne());
        master.ask(PASSWORD, redis -> redis.replicaof("127.0.0.1", replica.port()));
    }

    private static boolean isMaster(RedisProcess server) {
        return server.ask(PASSWORD, redis -> redis.info("replication")).contains("role:master");
    }

    private static boolean knowsOneGoodReplica(RedisProcess sentinel) {
        return sentinel.ask(redis -> redis.info("sentinel")).contains("slaves=1");
    }

    /** Waits until Redis has counted a request again. */
    private static void awaitAsked(RedisBackend backend) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> backend.acquire(
                        POLICY, "watcher", 1, Acquisition.Mode.SPEND)
                .counted());
    }

    private static long remaining(RedisBackend backend) {
        Decision decision = backend.acquire(POLICY, "alice", 1, Acquisition.Mode.SPEND);
        assertThat(decision.counted()).isTrue();
        return decision.remaining();
    }

    private static RedisBackend backend(RedisConnectionFactory factory) {
        return SharedRedis.usable(new RedisBackend(factory, SETTINGS, SharedRedis.local(), null, RedisObserver.NONE));
    }

    private static LettuceConnectionFactory lettuce(RedisConfiguration servers, ReadFrom readFrom) {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .readFrom(readFrom)
                .commandTimeout(Duration.ofSeconds(60))
                .shutdownTimeout(Duration.ZERO)
                .build();
        LettuceConnectionFactory factory = servers instanceof RedisStaticMasterReplicaConfiguration nodes
                ? new LettuceConnectionFactory(nodes, client)
                : new LettuceConnectionFactory(servers, client);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}

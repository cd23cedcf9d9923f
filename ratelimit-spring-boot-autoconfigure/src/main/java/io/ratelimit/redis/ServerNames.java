package io.ratelimit.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

/** Names servers in messages: as configured, without user names and passwords. */
final class ServerNames {

    private ServerNames() {}

    /**
     * Names the servers of a configuration.
     *
     * @param configuration any configuration of Spring Data Redis
     * @return such as {@code localhost:6379} or {@code master 'm' of the sentinels a:26379, b:26379}
     */
    static String of(RedisConfiguration configuration) {
        if (configuration instanceof RedisClusterConfiguration cluster) {
            return "cluster of " + nodes(cluster.getClusterNodes());
        }
        if (configuration instanceof RedisSentinelConfiguration sentinel) {
            return "master '%s' of the sentinels %s"
                    .formatted(Objects.requireNonNull(sentinel.getMaster()).getName(), nodes(sentinel.getSentinels()));
        }
        if (configuration instanceof RedisStaticMasterReplicaConfiguration nodes) {
            return "the master among " + servers(nodes.getNodes());
        }
        if (configuration instanceof RedisConfiguration.DomainSocketConfiguration socket) {
            return "socket " + socket.getSocket();
        }
        return configuration instanceof RedisConfiguration.WithHostAndPort server
                ? server.getHostName() + ":" + server.getPort()
                : configuration.getClass().getSimpleName();
    }

    private static String nodes(Collection<RedisNode> nodes) {
        List<String> names = new ArrayList<>();
        nodes.forEach(node -> names.add(node.asString()));
        return String.join(", ", names);
    }

    private static String servers(Collection<RedisStandaloneConfiguration> servers) {
        List<String> names = new ArrayList<>();
        servers.forEach(server -> names.add(of(server)));
        return String.join(", ", names);
    }
}

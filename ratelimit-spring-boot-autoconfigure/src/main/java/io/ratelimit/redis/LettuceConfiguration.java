package io.ratelimit.redis;

import io.lettuce.core.RedisURI;
import java.lang.reflect.Field;
import java.util.List;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * What a Lettuce factory was configured with, read from its field: a factory does not tell a static list of master and
 * replicas, of which its client knows no address either, nor what it was given as nothing but a {@link RedisConfiguration}.
 */
final class LettuceConfiguration {

    private final LettuceConnectionFactory factory;

    private final RedisConfiguration servers;

    LettuceConfiguration(LettuceConnectionFactory factory) {
        this.factory = factory;
        this.servers = servers(factory);
    }

    RedisConfiguration servers() {
        return servers;
    }

    /** Nodes among which the master has to be found by asking each for its role; empty if the client knows its address. */
    List<RedisURI> masterAndReplicas() {
        return servers instanceof RedisStaticMasterReplicaConfiguration nodes
                ? nodes.getNodes().stream()
                        .map(node -> uri(node.getHostName(), node.getPort()))
                        .toList()
                : List.of();
    }

    /** Whether the configured server may be a replica, which then knows its master. */
    boolean followsMaster() {
        return servers instanceof RedisConfiguration.WithHostAndPort
                && factory.getClientConfiguration().getReadFrom().isPresent();
    }

    RedisURI uri() {
        return uri(factory.getHostName(), factory.getPort());
    }

    private RedisURI uri(String host, int port) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        RedisURI.Builder uri = RedisURI.Builder.redis(host, port)
                .withDatabase(factory.getDatabase())
                .withSsl(client.isUseSsl())
                .withVerifyPeer(client.getVerifyMode())
                .withStartTls(client.isStartTls())
                .withTimeout(client.getCommandTimeout());
        client.getClientName().ifPresent(uri::withClientName);
        authenticate(uri);
        client.getRedisCredentialsProviderFactory()
                .ifPresent(providers -> uri.withAuthentication(providers.createCredentialsProvider(servers)));
        return uri.build();
    }

    private void authenticate(RedisURI.Builder uri) {
        if (!(servers instanceof RedisConfiguration.WithPassword credentials)) {
            return;
        }
        String user = credentials.getUsername();
        credentials.getPassword().toOptional().ifPresent(password -> {
            if (StringUtils.hasText(user)) {
                uri.withAuthentication(user, password);
            } else {
                uri.withPassword(password);
            }
        });
    }

    private static RedisConfiguration servers(LettuceConnectionFactory factory) {
        Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration");
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
            if (ReflectionUtils.getField(field, factory) instanceof RedisConfiguration configuration) {
                return configuration;
            }
        }
        RedisConfiguration[] known = {
            factory.getClusterConfiguration(), factory.getSentinelConfiguration(), factory.getSocketConfiguration()
        };
        for (RedisConfiguration one : known) {
            if (one != null) {
                return one;
            }
        }
        return factory.getStandaloneConfiguration();
    }
}

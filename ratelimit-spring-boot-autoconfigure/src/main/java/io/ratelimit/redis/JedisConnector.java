package io.ratelimit.redis;

import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Opens pools of connections to what the application's Jedis factory is configured for: the same servers and credentials,
 * but with the limiter's timeouts for connecting, reading and obtaining a pooled connection. A fresh pool has no dead
 * connections, as the old one may after an outage.
 */
final class JedisConnector implements ScriptConnector {

    private final JedisConnectionFactory factory;

    private final RedisConfiguration servers;

    private final JedisClientConfiguration client;

    JedisConnector(JedisConnectionFactory factory, Duration timeout) {
        this.factory = factory;
        this.servers = servers(factory);
        this.client = configuration(factory.getClientConfiguration(), timeout);
    }

    @Override
    public boolean clustered() {
        return factory.isRedisClusterAware();
    }

    @Override
    public String servers() {
        return ServerNames.of(servers);
    }

    @Override
    public ScriptConnection connect() {
        JedisConnectionFactory derived = derive();
        derived.afterPropertiesSet();
        derived.start();
        return new BlockingConnection(derived, derived::destroy);
    }

    private JedisConnectionFactory derive() {
        if (servers instanceof RedisClusterConfiguration cluster) {
            return new JedisConnectionFactory(cluster, client);
        }
        return servers instanceof RedisSentinelConfiguration sentinel
                ? new JedisConnectionFactory(sentinel, client)
                : new JedisConnectionFactory((RedisStandaloneConfiguration) servers, client);
    }

    private static RedisConfiguration servers(JedisConnectionFactory factory) {
        RedisConfiguration cluster = factory.getClusterConfiguration();
        RedisConfiguration sentinel = factory.getSentinelConfiguration();
        if (cluster != null) {
            return cluster;
        }
        return sentinel == null ? factory.getStandaloneConfiguration() : sentinel;
    }

    private static JedisClientConfiguration configuration(JedisClientConfiguration original, Duration timeout) {
        GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(BlockingConnection.THREADS);
        pool.setMaxIdle(BlockingConnection.THREADS);
        pool.setMaxWait(timeout);
        JedisClientConfiguration.JedisClientConfigurationBuilder builder = JedisClientConfiguration.builder();
        original.getCustomizer().ifPresent(builder::customize);
        original.getClientName().ifPresent(builder::clientName);
        builder.connectTimeout(timeout).readTimeout(timeout).usePooling().poolConfig(pool);
        if (original.isUseSsl()) {
            JedisClientConfiguration.JedisSslClientConfigurationBuilder ssl = builder.useSsl();
            original.getSslSocketFactory().ifPresent(ssl::sslSocketFactory);
            original.getSslParameters().ifPresent(ssl::sslParameters);
            original.getHostnameVerifier().ifPresent(ssl::hostnameVerifier);
        }
        return builder.build();
    }
}

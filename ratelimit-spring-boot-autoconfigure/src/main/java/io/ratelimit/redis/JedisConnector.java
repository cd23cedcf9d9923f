package io.ratelimit.redis;

import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Opens pools of connections to what the application's Jedis factory is configured for: the same servers and credentials,
 * but with the limiter's timeouts for connecting, reading and obtaining a pooled connection. A fresh pool has no dead
 * connections, as the old one may after an outage.
 */
final class JedisConnector implements ScriptConnector {

    private final JedisConnectionFactory factory;

    private final JedisClientConfiguration client;

    JedisConnector(JedisConnectionFactory factory, Duration timeout) {
        this.factory = factory;
        this.client = configuration(factory.getClientConfiguration(), timeout);
    }

    @Override
    public boolean clustered() {
        return factory.isRedisClusterAware();
    }

    @Override
    public ScriptConnection connect() {
        JedisConnectionFactory derived = derive();
        derived.afterPropertiesSet();
        derived.start();
        return new BlockingConnection(derived, derived::destroy);
    }

    private JedisConnectionFactory derive() {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster != null) {
            return new JedisConnectionFactory(cluster, client);
        }
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            return new JedisConnectionFactory(sentinel, client);
        }
        return new JedisConnectionFactory(factory.getStandaloneConfiguration(), client);
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

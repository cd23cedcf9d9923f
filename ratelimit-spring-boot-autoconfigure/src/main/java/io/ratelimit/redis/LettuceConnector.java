package io.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import java.util.List;
import java.util.concurrent.Future;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens connections of the application's Lettuce client. They are own ones, because the application's shared connection
 * reconnects with growing pauses, while a fresh one works as soon as Redis does; and its native commands are used, because
 * those of Spring Data wait as long as the application's timeout. They lead to the master, whatever the application reads
 * from.
 */
final class LettuceConnector implements ScriptConnector {

    private final LettuceConnectionFactory factory;

    private final LettuceConfiguration configuration;

    private final boolean clustered;

    LettuceConnector(LettuceConnectionFactory factory) {
        this.factory = factory;
        this.configuration = new LettuceConfiguration(factory);
        this.clustered = factory.getRequiredNativeClient() instanceof RedisClusterClient;
    }

    @Override
    public boolean clustered() {
        return clustered;
    }

    @Override
    public String servers() {
        return ServerNames.of(configuration.servers());
    }

    @Override
    public ScriptConnection connect() {
        // A factory that was stopped and started again has another client.
        AbstractRedisClient client = factory.getRequiredNativeClient();
        if (client instanceof RedisClusterClient cluster) {
            cluster.refreshPartitions();
            StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
            return new Connection(connection, connection.async(), connection.sync());
        }
        StatefulRedisConnection<byte[], byte[]> connection = connectToMaster((RedisClient) client);
        return new Connection(connection, connection.async(), connection.sync());
    }

    private StatefulRedisConnection<byte[], byte[]> connectToMaster(RedisClient client) {
        List<RedisURI> nodes = configuration.masterAndReplicas();
        if (!nodes.isEmpty()) {
            return MasterReplica.connect(client, ByteArrayCodec.INSTANCE, nodes);
        }
        return configuration.followsMaster()
                ? MasterReplica.connect(client, ByteArrayCodec.INSTANCE, configuration.uri())
                : client.connect(ByteArrayCodec.INSTANCE);
    }

    private record Connection(
            StatefulConnection<byte[], byte[]> connection,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            RedisClusterCommands<byte[], byte[]> blocking)
            implements ScriptConnection {

        private static final int SCAN_COUNT = 1_000;

        @Override
        public Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... arguments) {
            return commands.evalsha(script.digest(), ScriptOutputType.VALUE, keys, arguments);
        }

        @Override
        public Future<byte[]> eval(Script script, byte[][] keys, byte[]... arguments) {
            return commands.eval(script.textBytes(), ScriptOutputType.VALUE, keys, arguments);
        }

        @Override
        public boolean isUnknownScript(Throwable error) {
            return error instanceof RedisNoScriptException;
        }

        @Override
        public void deleteMatching(byte[] pattern) {
            ScanArgs arguments = ScanArgs.Builder.limit(SCAN_COUNT).match(pattern);
            ScanCursor cursor = ScanCursor.INITIAL;
            while (!cursor.isFinished()) {
                KeyScanCursor<byte[]> found = blocking.scan(cursor, arguments);
                for (byte[] key : found.getKeys()) {
                    blocking.del(key);
                }
                cursor = found;
            }
        }

        @Override
        public Future<?> close() {
            return connection.closeAsync();
        }
    }
}

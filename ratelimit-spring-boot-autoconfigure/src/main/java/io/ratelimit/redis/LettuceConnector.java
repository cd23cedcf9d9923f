package io.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
            return Connection.of(connection, connection.async());
        }
        StatefulRedisConnection<byte[], byte[]> connection = connectToMaster((RedisClient) client);
        return Connection.of(connection, connection.async());
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
            Duration patience)
            implements ScriptConnection {

        private static final int SCAN_COUNT = 1_000;

        /** Callers wait until their own deadline, so a timer of the client for each command would be one too many. */
        static Connection of(
                StatefulConnection<byte[], byte[]> connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {
            Duration patience = connection.getTimeout();
            connection.setTimeout(Duration.ZERO);
            return new Connection(connection, commands, patience);
        }

        @Override
        public Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... arguments) {
            return send(CommandType.EVALSHA, script.digest(), keys, arguments);
        }

        @Override
        public Future<byte[]> eval(Script script, byte[][] keys, byte[]... arguments) {
            return send(CommandType.EVAL, script.text(), keys, arguments);
        }

        /** What {@link RedisClusterAsyncCommands#evalsha} does, but that would encode the digest anew each time. */
        private Future<byte[]> send(CommandType type, byte[] script, byte[][] keys, byte[][] arguments) {
            CommandArgs<byte[], byte[]> sent = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                    .add(script)
                    .add(keys.length)
                    .addKeys(keys)
                    .addValues(arguments);
            return commands.dispatch(type, new ValueOutput<>(ByteArrayCodec.INSTANCE), sent);
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
                KeyScanCursor<byte[]> found = await(commands.scan(cursor, arguments));
                for (byte[] key : found.getKeys()) {
                    await(commands.del(key));
                }
                cursor = found;
            }
        }

        private <T> T await(RedisFuture<T> answer) {
            return LettuceFutures.awaitOrCancel(answer, patience.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public Future<?> close() {
            return connection.closeAsync();
        }
    }
}

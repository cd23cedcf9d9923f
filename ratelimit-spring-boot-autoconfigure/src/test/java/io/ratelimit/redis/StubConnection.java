package io.ratelimit.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** A connection that answers at once, with nothing. */
class StubConnection implements ScriptConnection {

    @Override
    public Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... arguments) {
        return CompletableFuture.completedFuture(new byte[0]);
    }

    @Override
    public Future<byte[]> eval(Script script, byte[][] keys, byte[]... arguments) {
        return CompletableFuture.completedFuture(new byte[0]);
    }

    @Override
    public boolean isUnknownScript(Throwable error) {
        return false;
    }

    @Override
    public void deleteMatching(byte[] pattern) {}

    @Override
    public Future<?> close() {
        return CompletableFuture.completedFuture(null);
    }
}

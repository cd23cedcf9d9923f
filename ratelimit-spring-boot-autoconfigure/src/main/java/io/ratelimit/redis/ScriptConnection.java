package io.ratelimit.redis;

import java.util.concurrent.Future;

/** An open connection to Redis. No method but {@link #deleteMatching} waits for an answer. */
interface ScriptConnection {

    /** Sends EVALSHA. A script that Redis does not know fails with an error that {@link #isUnknownScript} recognises. */
    Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... arguments);

    /** Sends EVAL, after which Redis knows the script. */
    Future<byte[]> eval(Script script, byte[][] keys, byte[]... arguments);

    /** Tells whether this error is Redis' NOSCRIPT. */
    boolean isUnknownScript(Throwable error);

    /** Deletes the keys that match a pattern, on all nodes, and waits for it. */
    void deleteMatching(byte[] pattern);

    /** Starts closing; commands without an answer fail. The result tells when it is done, however it went. */
    Future<?> close();
}

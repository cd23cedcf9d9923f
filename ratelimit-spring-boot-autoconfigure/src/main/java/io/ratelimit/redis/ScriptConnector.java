package io.ratelimit.redis;

/** Opens connections with what the application configured. */
interface ScriptConnector {

    /** Opens a fresh connection; may block for as long as the application's own timeouts allow, so never on a request. */
    ScriptConnection connect();

    /** Whether keys of different hash slots must be asked for separately. */
    boolean clustered();

    /** Names the servers in messages, without credentials. */
    String servers();
}

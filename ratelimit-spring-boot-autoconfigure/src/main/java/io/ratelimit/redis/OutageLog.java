package io.ratelimit.redis;

import io.ratelimit.core.FailurePolicy;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells operators that Redis cannot be used: which servers, why, what happens meanwhile and what to look at; and when it is
 * used again. Warnings are throttled. Nothing here knows a password.
 */
final class OutageLog {

    private static final int LONGEST_CAUSE = 200;

    /** Causes may lead in a circle. */
    private static final int MOST_CAUSES = 100;

    private final Log log;

    private final ThrottledWarning warning;

    private final String servers;

    private final RedisSettings settings;

    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Creates a log.
     *
     * @param servers what is connected to, as {@link ScriptConnector#servers} says
     * @param settings how Redis is used
     */
    OutageLog(String servers, RedisSettings settings) {
        this(LogFactory.getLog(RedisBackend.class), servers, settings);
    }

    OutageLog(Log log, String servers, RedisSettings settings) {
        this.log = log;
        this.warning = new ThrottledWarning(log);
        this.servers = servers;
        this.settings = settings;
    }

    void undecided(Throwable cause) {
        warn("did not decide", cause, " Until it does, %s, unless a policy says otherwise.".formatted(meanwhile()));
    }

    void notRefunded(Throwable cause) {
        warn("did not take back permits", cause, " They stay charged until they come back by themselves.");
    }

    void notReset(Throwable cause) {
        warn("did not forget a key", cause, " It keeps its counts; reset it again later.");
    }

    /** Whether a warning was written since it was last said that Redis decides. */
    boolean hasWarned() {
        return warned.get();
    }

    /** Says so if there was a warning. */
    void usedAgain() {
        if (warned.getAndSet(false)) {
            log.info("Redis (%s) decides again".formatted(servers));
        }
    }

    private void warn(String what, Throwable cause, String consequence) {
        boolean written = warning.write(() -> {
            Throwable root = root(cause);
            String reason = reason(root);
            return "Redis (%s) %s: %s.%s Check %s".formatted(servers, what, reason, consequence, remedy(root, reason));
        });
        if (written) {
            warned.set(true);
        }
    }

    private String meanwhile() {
        String setting = "(ratelimit.redis.on-failure=%s)"
                .formatted(settings.onFailure().name().toLowerCase(Locale.ROOT));
        FailurePolicy policy = settings.onFailure();
        return switch (policy) {
            case LOCAL -> "this node's memory decides with the same limits " + setting;
            case ALLOW -> "requests are allowed and not counted " + setting;
            case DENY -> "requests are denied with status 503 " + setting;
        };
    }

    private static Throwable root(Throwable cause) {
        Throwable root = cause;
        for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return root;
    }

    private String reason(Throwable root) {
        if (root instanceof TimeoutException) {
            return "no answer within %d ms".formatted(settings.timeout().toMillis());
        }
        if (root instanceof RedisUnavailableException) {
            return "no connection yet";
        }
        String message = root.getMessage();
        String line = message == null ? "" : ": " + message.strip().replaceAll("\\s+", " ");
        String reason = root.getClass().getSimpleName() + line;
        return reason.length() <= LONGEST_CAUSE ? reason : reason.substring(0, LONGEST_CAUSE) + "...";
    }

    private static String remedy(Throwable root, String reason) {
        if (root instanceof TimeoutException) {
            return "whether it hangs or is overloaded, or raise ratelimit.redis.timeout";
        }
        if (mentions(reason, "WRONGPASS", "NOAUTH", "NOPERM", "invalid password", "AUTH")) {
            return "spring.data.redis.username and password, and what that user may do (docs/redis.md)";
        }
        if (mentions(reason, "SSL", "certificat", "CertPath")) {
            return "spring.data.redis.ssl.* and the certificate of the server";
        }
        if (mentions(reason, "READONLY")) {
            return "that spring.data.redis.* names a master, or its sentinels";
        }
        if (mentions(reason, "OOM")) {
            return "maxmemory and maxmemory-policy of the server";
        }
        return "that it runs, and that spring.data.redis.* and the network lead to it";
    }

    private static boolean mentions(String reason, String... words) {
        for (String word : words) {
            if (reason.contains(word)) {
                return true;
            }
        }
        return false;
    }
}

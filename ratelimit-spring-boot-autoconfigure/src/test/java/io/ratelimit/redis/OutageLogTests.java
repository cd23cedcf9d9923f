package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.FailurePolicy;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.impl.NoOpLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

class OutageLogTests {

    private final Recorder recorder = new Recorder();

    private final OutageLog log = log(FailurePolicy.LOCAL);

    @Test
    void aRefusedConnectionSaysWhereWhyWhatHappensAndWhatToCheck() {
        log.undecided(
                new IllegalStateException("outer", new ConnectException("Connection refused: cache/10.0.0.7:6379")));
        assertThat(recorder.lines)
                .containsExactly("WARN Redis (cache:6379) did not decide: ConnectException: Connection refused:"
                        + " cache/10.0.0.7:6379. Until it does, this node's memory decides with the same limits"
                        + " (ratelimit.redis.on-failure=local), unless a policy says otherwise. Check that it runs, and that"
                        + " spring.data.redis.* and the network lead to it");
    }

    @Test
    void aTimeoutSaysHowLongItWas() {
        log(FailurePolicy.DENY).undecided(new TimeoutException());
        assertThat(recorder.lines)
                .containsExactly(
                        "WARN Redis (cache:6379) did not decide: no answer within 100 ms. Until it does, requests"
                                + " are denied with status 503 (ratelimit.redis.on-failure=deny), unless a policy says otherwise."
                                + " Check whether it hangs or is overloaded, or raise ratelimit.redis.timeout");
    }

    @Test
    void whatIsLeftAloneSaysWhatWentWrongBefore() {
        log(FailurePolicy.ALLOW)
                .undecided(new RedisUnavailableException(new SSLHandshakeException("no\ncommon  protocol")));
        assertThat(recorder.lines)
                .containsExactly(
                        "WARN Redis (cache:6379) did not decide: SSLHandshakeException: no common protocol. Until it"
                                + " does, requests are allowed and not counted (ratelimit.redis.on-failure=allow), unless a policy"
                                + " says otherwise. Check spring.data.redis.ssl.* and the certificate of the server");
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void causesThatLeadInACircleAreNotFollowedForEver() {
        IllegalStateException first = new IllegalStateException("first");
        first.initCause(new IllegalStateException("second", first));
        log.undecided(first);
        assertThat(recorder.lines).hasSize(1);
        assertThat(recorder.lines.get(0)).contains("did not decide: IllegalStateException: first.");
    }

    @Test
    void beforeTheFirstAttemptEndedNothingIsKnown() {
        log.undecided(new RedisUnavailableException(null));
        assertThat(recorder.lines.get(0)).contains("did not decide: no connection yet. ");
    }

    @Test
    void refundsAndResetsSayWhatBecomesOfTheCounts() {
        log.notRefunded(new ExecutionException(new IllegalStateException("LOADING")));
        log(FailurePolicy.LOCAL).notReset(new TimeoutException());
        assertThat(recorder.lines)
                .containsExactly(
                        "WARN Redis (cache:6379) did not take back permits: IllegalStateException: LOADING. They stay charged"
                                + " until they come back by themselves. Check that it runs, and that spring.data.redis.* and"
                                + " the network lead to it",
                        "WARN Redis (cache:6379) did not forget a key: no answer within 100 ms. It keeps its counts; reset it"
                                + " again later. Check whether it hangs or is overloaded, or raise ratelimit.redis.timeout");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    WRONGPASS invalid username-password pair or user is disabled. | Check spring.data.redis.username and password
                    NOAUTH Authentication required. | Check spring.data.redis.username and password
                    NOPERM this user has no permissions to run the 'eval' command | and what that user may do
                    READONLY You can't write against a read only replica. | Check that spring.data.redis.* names a master
                    OOM command not allowed when used memory > 'maxmemory'. | Check maxmemory and maxmemory-policy
                    """)
    void whatToCheckDependsOnTheCause(String cause, String remedy) {
        log.undecided(new IllegalStateException(cause));
        assertThat(recorder.lines.get(0)).contains(cause).contains(remedy);
    }

    @Test
    void warningsAreThrottledAndLongCausesCut() {
        log.undecided(new IllegalStateException("x".repeat(5_000)));
        log.undecided(new TimeoutException());
        log.undecided(new TimeoutException());
        assertThat(recorder.lines).hasSize(1);
        assertThat(recorder.lines.get(0)).hasSizeLessThan(600).contains("xxx...");
    }

    @Test
    void usedAgainIsSaidOnceAfterAWarningOnly() {
        log.usedAgain();
        log.undecided(new TimeoutException());
        log.usedAgain();
        log.usedAgain();
        assertThat(recorder.lines).hasSize(2);
        assertThat(recorder.lines.get(1)).isEqualTo("INFO Redis (cache:6379) decides again");
    }

    @Test
    void whatNobodyWasToldNeedsNoEnd() {
        log.undecided(new TimeoutException());
        log.usedAgain();
        log.undecided(new TimeoutException());
        assertThat(log.hasWarned()).isFalse();
        log.usedAgain();
        assertThat(recorder.lines).hasSize(2);
    }

    @Test
    void serversAreNamedWithoutCredentials() {
        RedisStandaloneConfiguration one = new RedisStandaloneConfiguration("cache", 6380);
        one.setUsername("limiter");
        one.setPassword("secret");
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration()
                .master("main")
                .sentinel("a", 26379)
                .sentinel("b", 26380);
        sentinels.setPassword("secret");
        sentinels.setSentinelPassword(RedisPassword.of("secret"));
        RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration("a", 1).node("b", 2);
        nodes.setPassword(RedisPassword.of("secret"));
        assertThat(ServerNames.of(one)).isEqualTo("cache:6380");
        assertThat(ServerNames.of(sentinels)).isEqualTo("master 'main' of the sentinels a:26379, b:26380");
        assertThat(ServerNames.of(new RedisClusterConfiguration(List.of("a:1", "b:2"))))
                .isEqualTo("cluster of a:1, b:2");
        assertThat(ServerNames.of(nodes)).isEqualTo("the master among a:1, b:2");
        assertThat(ServerNames.of(new RedisSocketConfiguration("/run/redis.sock")))
                .isEqualTo("socket /run/redis.sock");
    }

    private OutageLog log(FailurePolicy policy) {
        return new OutageLog(recorder, "cache:6379", RedisSettings.defaults().withOnFailure(policy));
    }

    private static final class Recorder extends NoOpLog implements Log {

        private static final long serialVersionUID = 1L;

        private final transient List<String> lines = new ArrayList<>();

        @Override
        public void warn(Object message) {
            lines.add("WARN " + message);
        }

        @Override
        public void info(Object message) {
            lines.add("INFO " + message);
        }
    }
}

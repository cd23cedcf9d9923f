package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.core.Decision;
import io.ratelimit.core.RateLimiter;
import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisProcess;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The limiter connects with the TLS settings, users and passwords that the application has for its own Redis. */
@ExtendWith(OutputCaptureExtension.class)
class RedisCredentialsTests {

    /** As docs/redis.md recommends. */
    private static final String PERMISSIONS = "~ratelimit:* -@all +hello +auth +client|setname +ping"
            + " +eval +evalsha +time +get +set +del +pttl +pexpire +lindex +llen +lrange +ltrim +lpush +rpush +lrem +scan";

    private static final String STRONG = "PASSWORD-of-the-limiter";

    @TempDir
    private Path directory;

    @Test
    void aUserWithPasswordAndFewPermissionsOverTls() throws Exception {
        Certificate certificate = Certificate.selfSigned(directory);
        int tlsPort = RedisProcess.notStarted().port();
        try (RedisProcess redis = RedisProcess.started(certificate.serverSettings(
                tlsPort, ("--user default off --user limiter on >" + STRONG + " " + PERMISSIONS).split(" ")))) {
            runner(tlsPort)
                    .withPropertyValues(
                            "spring.data.redis.username=limiter",
                            "spring.data.redis.password=" + STRONG,
                            "spring.data.redis.ssl.bundle=redis",
                            "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificate.pem())
                    .run(context -> {
                        Awaitility.await().until(context.getBean(RedisBackend.class)::available);
                        assertThatEverythingWorks(context.getBean(RateLimiter.class));
                    });
            assertThat(redis.port()).isNotEqualTo(tlsPort);
        }
    }

    @Test
    void anUntrustedCertificateIsToldAndTheNodeDecides(CapturedOutput output) throws Exception {
        Certificate certificate = Certificate.selfSigned(directory);
        int tlsPort = RedisProcess.notStarted().port();
        try (RedisProcess redis = RedisProcess.started(certificate.serverSettings(tlsPort))) {
            runner(tlsPort)
                    .withPropertyValues("spring.data.redis.ssl.enabled=true")
                    .run(decidesAlone());
            assertThat(warning(output))
                    .contains("Redis (127.0.0.1:" + tlsPort + ") did not decide: ")
                    .contains("certification path")
                    .endsWith("Check spring.data.redis.ssl.* and the certificate of the server");
            assertThat(redis.port()).isNotEqualTo(tlsPort);
        }
    }

    @Test
    void aWrongPasswordIsToldButNotShownAndTheNodeDecides(CapturedOutput output) {
        try (RedisProcess redis = RedisProcess.started("--requirepass", STRONG)) {
            runner(redis.port())
                    .withPropertyValues("spring.data.redis.password=PASSWORD-that-is-wrong")
                    .run(decidesAlone());
            assertThat(warning(output))
                    .endsWith("Redis (127.0.0.1:" + redis.port() + ") did not decide: RedisCommandExecutionException: "
                            + "WRONGPASS invalid username-password pair or user is disabled.. Until it does, this node's"
                            + " memory decides with the same limits (ratelimit.redis.on-failure=local), unless a policy says"
                            + " otherwise. Check spring.data.redis.username and password, and what that user may do"
                            + " (docs/redis.md)");
            assertThat(output).doesNotContain("PASSWORD-");
        }
    }

    @Test
    void aUserWhoMayNotRunScriptsIsTold(CapturedOutput output) {
        try (RedisProcess redis =
                RedisProcess.started(("--user limiter on >" + STRONG + " ~ratelimit:* +@all -@scripting").split(" "))) {
            runner(redis.port())
                    .withPropertyValues("spring.data.redis.username=limiter", "spring.data.redis.password=" + STRONG)
                    .run(decidesAlone());
            assertThat(warning(output)).contains("NOPERM").contains("what that user may do");
            assertThat(output).doesNotContain("PASSWORD-");
        }
    }

    private static void assertThatEverythingWorks(RateLimiter limiter) {
        for (String policy : new String[] {"api", "log"}) {
            Decision decision = limiter.acquire(policy, "k", 3);
            assertThat(decision.counted()).isTrue();
            assertThat(decision.remaining()).isEqualTo(2);
            limiter.refund(decision);
            assertThat(limiter.peek(policy, "k").remaining()).isEqualTo(5);
            limiter.acquire(policy, "k", 5);
            assertThat(limiter.acquire(policy, "k", 1).allowed()).isFalse();
            limiter.reset(policy, "k");
            assertThat(limiter.acquire(policy, "k", 5).allowed()).isTrue();
        }
        limiter.reset();
        assertThat(limiter.peek("api", "k").remaining()).isEqualTo(5);
    }

    private static ContextConsumer<AssertableApplicationContext> decidesAlone() {
        return context -> {
            assertThat(context.getBean(RedisBackend.class).available()).isFalse();
            RateLimiter limiter = context.getBean(RateLimiter.class);
            for (int i = 0; i < 7; i++) {
                assertThat(limiter.acquire("api", "k", 1).allowed()).isEqualTo(i < 5);
            }
        };
    }

    private static String warning(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("did not decide"))
                .findFirst()
                .orElseThrow()
                .strip();
    }

    private static ApplicationContextRunner runner(int port) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class,
                        RedisOfThisLine.autoConfiguration(),
                        RateLimitRedisAutoConfiguration.class,
                        RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.backend=redis",
                        "ratelimit.redis.timeout=10s",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + port,
                        "ratelimit.policies.api.limit=5",
                        "ratelimit.policies.api.window=1h",
                        "ratelimit.policies.log.limit=5",
                        "ratelimit.policies.log.window=1h",
                        "ratelimit.policies.log.algorithm=sliding-log");
    }

    /** A certificate for 127.0.0.1 and its key, in PEM. */
    private record Certificate(Path pem, Path key) {

        static Certificate selfSigned(Path directory) throws Exception {
            Path store = directory.resolve("store.p12");
            Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            assumeTrue(Files.isExecutable(keytool), "no keytool to make a certificate with");
            Process process = new ProcessBuilder(
                            keytool.toString(),
                            "-genkeypair",
                            "-alias",
                            "redis",
                            "-keyalg",
                            "RSA",
                            "-dname",
                            "CN=127.0.0.1",
                            "-ext",
                            "SAN=ip:127.0.0.1",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            "changeit",
                            "-keystore",
                            store.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            char[] password = "changeit".toCharArray();
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, password);
            }
            return new Certificate(
                    pem(directory, "CERTIFICATE", keys.getCertificate("redis").getEncoded()),
                    pem(directory, "PRIVATE KEY", keys.getKey("redis", password).getEncoded()));
        }

        private static Path pem(Path directory, String type, byte[] content) throws Exception {
            String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
            return Files.writeString(
                    directory.resolve(type.replace(' ', '-') + ".pem"),
                    "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, text));
        }

        String[] serverSettings(int tlsPort, String... more) {
            String[] tls = {
                "--tls-port",
                "" + tlsPort,
                "--tls-cert-file",
                pem.toString(),
                "--tls-key-file",
                key.toString(),
                "--tls-ca-cert-file",
                pem.toString(),
                "--tls-auth-clients",
                "no"
            };
            return Stream.of(tls, more).flatMap(Arrays::stream).toArray(String[]::new);
        }
    }
}

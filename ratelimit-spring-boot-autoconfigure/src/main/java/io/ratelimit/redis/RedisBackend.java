package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Backend;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;
import io.ratelimit.core.Refunds;
import io.ratelimit.core.Resets;
import io.ratelimit.core.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Counts in Redis, shared by all nodes.
 *
 * <p>A decision is one script call that reads the state of all limits, decides on the clock of Redis, and writes only when
 * every limit admits. It is bounded by a deadline; while Redis does not answer, the failure policy does, and a
 * {@linkplain RedisLink circuit breaker} leaves Redis alone. What Redis refused is {@linkplain DenyCache refused here} until
 * it could be admitted again.
 */
public final class RedisBackend implements Backend, AutoCloseable {

    private static final Duration PATIENCE_AT_START = Duration.ofSeconds(3);

    private static final Log LOG = LogFactory.getLog(RedisBackend.class);

    private final RedisSettings settings;

    private final RedisObserver observer;

    private final RedisLink link;

    private final ScriptRunner runner;

    private final BucketKeys keys;

    private final DenyCache denied;

    private final FailureAnswers failures;

    private final Resets resets = new Resets((decision, wasReset) -> refund(decision));

    private final JointAcquisition joint;

    private final OutageLog log;

    /**
     * Connects, in the background if Redis does not answer at once.
     *
     * @param factory what the application configured; its connections are not used, its settings are
     * @param settings how to use Redis
     * @param local decides while Redis cannot be reached and the failure policy is local
     * @param timeSource the user's clock; {@code null} for that of Redis
     * @param observer told about calls and failures
     */
    public RedisBackend(
            RedisConnectionFactory factory,
            RedisSettings settings,
            Backend local,
            @Nullable TimeSource timeSource,
            RedisObserver observer) {
        this(connector(factory, settings), settings, local, timeSource, observer);
    }

    RedisBackend(
            ScriptConnector connector,
            RedisSettings settings,
            Backend local,
            @Nullable TimeSource timeSource,
            RedisObserver observer) {
        this.settings = settings;
        this.observer = observer;
        this.keys = new BucketKeys(settings.keyPrefix());
        this.log = new OutageLog(connector.servers(), settings);
        this.link = new RedisLink(connector, keys.probe(), observer, log);
        this.runner = new ScriptRunner(link, observer, timeSource);
        this.denied = new DenyCache(settings.denyCache(), timeSource);
        this.failures = new FailureAnswers(settings.onFailure(), local);
        this.joint = new JointAcquisition(runner, link);
        LOG.info("limits are shared in Redis (%s), prefix %s".formatted(connector.servers(), settings.keyPrefix()));
        awaitRedis();
    }

    /** {@return whether Redis is used at present, rather than left alone because it did not answer} */
    public boolean available() {
        return link.connection() != null;
    }

    @Override
    public Decision acquire(Policy policy, String key, long cost, Acquisition.Mode mode) {
        long now = System.nanoTime();
        Refunds refunds = resets.sinceNow();
        Bucket bucket = bucket(new Acquisition(policy, key, cost, mode), now);
        Decision known = refusalFromCache(bucket);
        if (known != null) {
            return known;
        }
        ScriptCall call = cost == 0 ? runner.peek(bucket) : runner.acquire(bucket);
        byte[] reply = call.await(deadline(now));
        if (reply == null) {
            log.undecided(call.failure());
            return failures.acquire(bucket.asked());
        }
        Reply read = new Reply(reply);
        Answer answer = read.next(bucket);
        return read.charged() ? answer.charged(refunds, policy, key, cost) : refused(bucket, answer);
    }

    @Override
    public List<Decision> acquireAll(List<Acquisition> acquisitions) {
        if (acquisitions.size() == 1) {
            Acquisition only = acquisitions.get(0);
            return List.of(acquire(only.policy(), only.key(), only.cost(), only.mode()));
        }
        long now = System.nanoTime();
        Refunds refunds = resets.sinceNow();
        List<Bucket> buckets =
                acquisitions.stream().map(asked -> bucket(asked, now)).toList();
        List<Decision> known = refusalsFromCache(buckets);
        if (!known.isEmpty() || acquisitions.isEmpty()) {
            return known;
        }
        Joined joined = Joined.of(buckets);
        JointAcquisition.Outcome outcome = joint.decide(joined.buckets(), deadline(now));
        if (outcome.failure() != null) {
            log.undecided(outcome.failure());
            return failures.acquireAll(acquisitions);
        }
        List<Decision> decisions = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            Joined.Place place = joined.places().get(i);
            Answer answer = outcome.answers().get(place.position());
            Acquisition asked = acquisitions.get(i);
            if (outcome.charged() && (asked.cost() > 0 || place.before() > 0)) {
                @Nullable Refunds own = asked.cost() > 0 ? refunds : null;
                decisions.add(answer.charged(own, asked.policy(), asked.key(), place.before(), asked.cost()));
            } else {
                decisions.add(place.alone() ? refused(buckets.get(i), answer) : refused(asked, place, answer));
            }
        }
        return decisions;
    }

    @Override
    public Decision peek(Policy policy, String key) {
        long now = System.nanoTime();
        Bucket bucket = bucket(Acquisition.of(policy, key, 1), now);
        ScriptCall call = runner.peek(bucket);
        byte[] reply = call.await(deadline(now));
        if (reply == null) {
            log.undecided(call.failure());
            return failures.peek(policy, key);
        }
        return bucket.seen(new Reply(reply).next(bucket));
    }

    @Override
    public void refund(Decision decision) {
        long deadline = deadline(System.nanoTime());
        String bucket = keys.bucket(decision.policy().name(), decision.key());
        denied.clear(bucket);
        ScriptCall call = runner.refund(decision, bucket);
        if (call.await(deadline) == null) {
            log.notRefunded(call.failure());
        }
        denied.clear(bucket);
    }

    @Override
    public void reset(Policy policy, String key) {
        failures.local().reset(policy, key);
        String bucket = keys.bucket(policy.name(), key);
        denied.clear(bucket);
        ScriptCall call = runner.reset(policy, bucket);
        if (call.await(deadline(System.nanoTime())) == null) {
            log.notReset(call.failure());
        }
        denied.clear(bucket);
        resets.reset(policy.name(), key);
    }

    @Override
    public void reset() {
        failures.local().reset();
        denied.clear();
        ScriptConnection connection = link.connection();
        if (connection != null) {
            connection.deleteMatching(keys.pattern());
        }
        denied.clear();
        resets.reset();
    }

    /** Leaves Redis alone until {@link #resume}: for the time in which the application's client is stopped. */
    public void pause() {
        link.pause();
    }

    /** Uses Redis again, as soon as it can be reached. */
    public void resume() {
        link.resume();
    }

    /** Closes the connection; the application's client stays open. */
    @Override
    public void close() {
        link.close();
    }

    private Bucket bucket(Acquisition asked, long now) {
        String name = keys.bucket(asked.policy().name(), asked.key());
        return new Bucket(asked, name, runner.layout(asked.policy()), denied.sending(name, now));
    }

    private Decision refused(Bucket bucket, Answer answer) {
        Decision decision = bucket.seen(answer);
        if (!decision.allowed() && bucket.mayBeRemembered()) {
            denied.remember(bucket, answer);
        }
        return decision;
    }

    /** A bucket that is asked twice is not remembered: it may admit either alone. */
    private static Decision refused(Acquisition asked, Joined.Place place, Answer answer) {
        long permits = asked.cost() == 0 ? 0 : Joined.sum(place.before(), asked.cost());
        return answer.seen(asked.policy(), asked.key(), asked.cost(), permits, 0);
    }

    private @Nullable Decision refusalFromCache(Bucket bucket) {
        Decision known = bucket.mayBeRemembered() ? denied.refusal(bucket) : null;
        if (known != null) {
            observer.refusedFromCache();
        }
        return known;
    }

    /** If one is known to be refused, so are all; the others are not asked, so nothing is known about them. */
    private List<Decision> refusalsFromCache(List<Bucket> buckets) {
        List<@Nullable Decision> known = new ArrayList<>();
        buckets.forEach(bucket -> known.add(refusalFromCache(bucket)));
        if (known.stream().allMatch(Objects::isNull)) {
            return List.of();
        }
        List<Decision> all = new ArrayList<>();
        for (int i = 0; i < buckets.size(); i++) {
            Acquisition asked = buckets.get(i).asked();
            Decision refusal = known.get(i);
            all.add(refusal == null ? Decision.uncounted(asked.policy(), asked.key(), asked.cost(), true) : refusal);
        }
        return all;
    }

    private long deadline(long now) {
        return now + settings.timeout().toNanos();
    }

    private void awaitRedis() {
        WarmUp.askLocally(failures.local());
        try {
            if (link.awaitFirstAttempt(PATIENCE_AT_START)) {
                WarmUp.askRedis(runner, keys, denied);
            } else {
                log.undecided(link.unavailable());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ScriptConnector connector(RedisConnectionFactory factory, RedisSettings settings) {
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return new LettuceConnector(lettuce);
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            return new JedisConnector(jedis, settings.timeout());
        }
        throw new IllegalArgumentException(
                "%s is neither a LettuceConnectionFactory nor a JedisConnectionFactory; declare one of these"
                        .formatted(factory.getClass().getName()));
    }
}

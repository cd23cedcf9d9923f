package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;

/**
 * One acquisition and where it is counted.
 *
 * @param asked the acquisition
 * @param name the key of its bucket in Redis
 * @param layout how its limits lie there
 * @param sent when the command is sent that asks for it
 */
record Bucket(Acquisition asked, String name, BucketLayout layout, DenyCache.Sent sent) {

    Policy policy() {
        return asked.policy();
    }

    Decision seen(Answer answer) {
        return answer.seen(asked.policy(), asked.key(), asked.cost(), asked.cost(), 0);
    }

    /** Whether a refusal may be repeated without asking: what is reserved may come back any moment. */
    boolean mayBeRemembered() {
        return asked.mode() == Acquisition.Mode.SPEND && asked.cost() > 0;
    }
}

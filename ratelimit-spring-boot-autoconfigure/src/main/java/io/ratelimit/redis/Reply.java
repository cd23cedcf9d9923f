package io.ratelimit.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a script replied to a call that charges buckets or looks at one, read bucket by bucket. */
final class Reply {

    private final ByteBuffer unread;

    private final byte kind;

    private final long now;

    Reply(byte[] reply) {
        unread = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        kind = unread.get();
        now = isWhatWasWritten() ? 0 : (long) unread.getDouble();
    }

    /** {@return whether all limits admitted and were charged} */
    boolean charged() {
        return kind != ScriptWriter.SEEN;
    }

    /** Reads the answer about the next bucket, in the order in which they were asked for. */
    Answer next(Bucket bucket) {
        return isWhatWasWritten()
                ? Answer.readWritten(unread, bucket.policy(), bucket.asked().cost())
                : Answer.read(unread, now, bucket.policy());
    }

    /** A script of one policy replies with the value that it wrote to Redis, which begins with its version. */
    private boolean isWhatWasWritten() {
        return kind == BucketLayout.VERSION;
    }
}

package io.ratelimit.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the script for a list of policies from the Lua parts: straight code without loops, tables or functions, because
 * those would cost more than the decision itself. Policies of the same shape share a script.
 *
 * <p>Arguments of acquire and peek: for each policy its cost and its packed limits; for refund the time of the decision
 * stands first, and what remained then for each bucket last. The user's time comes last, if there is one. The answer is
 * packed as well: a byte ({@link #SEEN} or {@link #CHARGED}), now, and three numbers for each limit (four for a log), as they
 * were before the charge. Where the first byte is {@link BucketLayout#VERSION}, the answer is the value that was written.
 */
final class ScriptWriter {

    /** What a script is for. */
    enum Purpose {
        /** Charge all limits of all policies, or none. */
        ACQUIRE,
        /** Look and change nothing. */
        PEEK,
        /** Give back what one policy charged, and let the key expire when the rest is over. */
        REFUND
    }

    /** First byte of an answer that tells the state before: nothing was charged. */
    static final byte SEEN = 0;

    /** First byte of an answer that tells the state before: the cost was charged after it. */
    static final byte CHARGED = 2;

    private static final LuaParts FRAME = LuaParts.read("script.lua");

    private static final Map<Character, LuaParts> ALGORITHMS = Map.of(
            'F', LuaParts.read("fixed-window.lua"),
            'L', LuaParts.read("sliding-log.lua"),
            'C', LuaParts.read("sliding-counter.lua"),
            'B', LuaParts.read("bucket.lua"));

    private final Purpose purpose;

    private final StringBuilder text = new StringBuilder();

    private final StringBuilder verdict = new StringBuilder();

    private final StringBuilder answer = new StringBuilder();

    private final StringBuilder stepped = new StringBuilder();

    private final StringBuilder writes = new StringBuilder();

    private int limits;

    private int keys;

    private int arguments;

    private int answered;

    private boolean givenTime;

    private @Nullable BucketLayout own;

    private ScriptWriter(Purpose purpose) {
        this.purpose = purpose;
    }

    /**
     * Writes the script that charges the limits of one policy, which are written into it: Redis need not unpack them, and the
     * client need not send them. Cost 1 needs no argument either. Unless there is a log among them, the answer to an admitted
     * request is what was written to Redis, which saves packing a second one.
     *
     * @param givenTime whether the user's time is passed
     * @param layout the limits
     */
    static Script write(boolean givenTime, BucketLayout layout) {
        ScriptWriter writer = new ScriptWriter(Purpose.ACQUIRE);
        writer.own = layout;
        writer.givenTime = givenTime;
        writer.text.append(FRAME.part(givenTime ? "given-time" : "redis-time"));
        writer.writePolicy(1, layout.shape());
        String script = writer.finish();
        String[] names = parameterNames(1, layout.shape()).split(", ");
        for (int i = 0; i < names.length; i++) {
            script = script.replaceAll(
                    "\\b" + names[i] + "\\b", layout.literals().get(i));
        }
        return Script.of(script);
    }

    /**
     * Writes a script.
     *
     * @param purpose what it is for
     * @param givenTime whether the user's time is passed
     * @param shapes one shape for each policy
     */
    static Script write(Purpose purpose, boolean givenTime, List<String> shapes) {
        ScriptWriter writer = new ScriptWriter(purpose);
        writer.givenTime = givenTime;
        writer.text.append(FRAME.part(givenTime ? "given-time" : "redis-time"));
        if (purpose == Purpose.REFUND) {
            writer.text.append("local at = tonumber(ARGV[%d])\n".formatted(++writer.arguments));
            writer.text.append(FRAME.part("charged-before-reset"));
        }
        for (int group = 1; group <= shapes.size(); group++) {
            writer.writePolicy(group, shapes.get(group - 1));
        }
        return Script.of(writer.finish());
    }

    /** Writes the script that forgets a bucket: its keys are given, and for how long a charge can be given back. */
    static Script writeReset(boolean givenTime) {
        return Script.of(FRAME.part(givenTime ? "given-time" : "redis-time") + FRAME.part("reset"));
    }

    private void writePolicy(int group, String shape) {
        int first = limits + 1;
        if (own != null) {
            text.append("local c_1 = 1\nif ARGV[1] then\nc_1 = tonumber(ARGV[1])\nend\n");
        } else {
            text.append("local c_%d = tonumber(ARGV[%d])\n".formatted(group, ++arguments));
            text.append("local ").append(parameterNames(first, shape)).append(" = struct.unpack('<");
            text.append("d".repeat(parameterNames(first, shape).split(",").length));
            text.append("', ARGV[%d])\n".formatted(++arguments));
        }
        String changes = "";
        String expiry = "";
        boolean refund = purpose == Purpose.REFUND;
        boolean hasValue = !shape.replace("L", "").isEmpty();
        int valueKey = hasValue ? ++keys : 0;
        readState(group, shape, valueKey);
        for (char algorithm : shape.toCharArray()) {
            LuaParts parts = ALGORITHMS.get(algorithm);
            int limit = ++limits;
            if (algorithm == 'L') {
                text.append("local log_%d = KEYS[%d]\n".formatted(limit, ++keys));
            }
            if (refund && algorithm != 'L') {
                text.append(bind(parts.part("found"), group, limit));
            }
            if (!refund || algorithm != 'B') {
                text.append(bind(parts.part("decide"), group, limit));
            }
            answered += algorithm == 'L' ? 4 : 3;
            verdict.append(verdict.isEmpty() ? "" : " and ").append("ok_").append(limit);
            answer.append(bind(algorithm == 'L' ? ", x_i, y_i, z_i, now_i" : ", x_i, y_i, z_i", 0, limit));
            changes += bind(parts.part(refund ? "refund" : "charge"), group, limit);
            if (algorithm != 'L') {
                stepped.append(stepped.isEmpty() ? "" : " or ")
                        .append(bind(parts.part("stepped").strip(), group, limit));
                expiry += bind(parts.part(refund && algorithm == 'B' ? "expiry-after-refund" : "expiry"), group, limit);
            }
        }
        writes.append(own == null ? "if c_%d > 0 then\n".formatted(group) : "do\n")
                .append(changes);
        if (hasValue) {
            String write = refund ? putBack(first, shape, expiry) : "local life = 0\n" + expiry + write(first, shape);
            writes.append(bind(write.replace("KEYS_g", "KEYS[%d]".formatted(valueKey)), group, 0));
        }
        if (answersWithWhatWasWritten()) {
            writes.append("if not told then\nreturn written_1\nend\n");
        }
        writes.append("end\n");
    }

    private String write(int first, String shape) {
        return FRAME.part("write")
                .replace("set_expiry", frame("expires").strip())
                .replace("packed_value", packedValue(first, shape));
    }

    /** Where this policy keeps a log, its part of the value has no tag; one that has is somebody else's. */
    private String putBack(int first, String shape, String expiry) {
        StringBuilder parts = new StringBuilder();
        List<String> ours = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        List<String> given = new ArrayList<>();
        for (int i = 0; i < shape.length(); i++) {
            if (shape.charAt(i) == 'L') {
                ours.add(bind("t_i == 0", 0, first + i));
                continue;
            }
            LuaParts algorithm = ALGORITHMS.get(shape.charAt(i));
            int before = 1 + i * BucketLayout.LIMIT_BYTES;
            String part = FRAME.part("put-back")
                    .replace("before_i", Integer.toString(before))
                    .replace("after_i", Integer.toString(before + BucketLayout.LIMIT_BYTES + 1));
            parts.append(bind(part, 1, first + i));
            ours.add(bind(algorithm.part("ours").strip(), 0, first + i));
            empty.add(bind(algorithm.part("empty").strip(), 0, first + i));
            given.add(bind("given_i", 0, first + i));
        }
        return parts
                + FRAME.part("rewrite")
                        .replace("set_ends\n", frame("ends"))
                        .replace("set_life\n", expiry)
                        .replace("set_expiry", frame("expires").strip())
                        .replace("all_ours", String.join(" and ", ours))
                        .replace("all_empty", String.join(" and ", empty))
                        .replace("any_given", String.join(" or ", given))
                        .replace("size_g", Integer.toString(size(shape)));
    }

    /** The part that depends on whose clock it is. */
    private String frame(String part) {
        return FRAME.part(part + (givenTime ? "-in-a-time" : "-on-the-clock-of-redis"));
    }

    private void readState(int group, String shape, int valueKey) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < shape.length(); i++) {
            String separator = i == 0 ? "" : ", ";
            names.append("%2$st_%1$d, x_%1$d, y_%1$d, z_%1$d".formatted(limits + 1 + i, separator));
        }
        text.append("local ")
                .append(names)
                .append(" = 0")
                .append(", 0".repeat(4 * shape.length() - 1))
                .append('\n');
        if (valueKey > 0) {
            String values =
                    "local version\nversion, %s = struct.unpack('<B%s', value_g)\nif version ~= %d then\n%s = 0%s\nend"
                            .formatted(
                                    names,
                                    "d".repeat(4 * shape.length()),
                                    BucketLayout.VERSION,
                                    tagNames(shape.length()),
                                    ", 0".repeat(shape.length() - 1));
            text.append("local value_%d = redis.pcall('GET', KEYS[%d])\n".formatted(group, valueKey));
            String stored = purpose == Purpose.REFUND ? FRAME.part("stored") : "";
            String read = FRAME.part("read").replace("read_values", values);
            text.append(bind(stored + read.replace("size_g", Integer.toString(size(shape))), group, 0));
        }
    }

    private static int size(String shape) {
        return 1 + BucketLayout.LIMIT_BYTES * shape.length();
    }

    private String tagNames(int count) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < count; i++) {
            names.append(i == 0 ? "t_" : ", t_").append(limits + 1 + i);
        }
        return names.toString();
    }

    private static String parameterNames(int first, String shape) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < shape.length(); i++) {
            String own = shape.charAt(i) == 'B' ? "T_i, W_i, L_i, P_i, R_i, M_i" : "T_i, W_i, L_i";
            names.append(i == 0 ? "" : ", ").append(bind(own, 0, first + i));
        }
        return names.toString();
    }

    private static String packedValue(int first, String shape) {
        StringBuilder values = new StringBuilder("struct.pack('<B");
        values.append("d".repeat(4 * shape.length())).append("', ").append(BucketLayout.VERSION);
        for (int i = 0; i < shape.length(); i++) {
            values.append(shape.charAt(i) == 'L' ? ", 0, 0, 0, 0" : bind(", T_i, x_i, y_i, z_i", 0, first + i));
        }
        return values.append(')').toString();
    }

    private static String bind(String lua, int group, int limit) {
        return lua.replaceAll("_i\\b", "_" + limit).replaceAll("_g\\b", "_" + group);
    }

    private boolean answersWithWhatWasWritten() {
        return own != null && own.shape().indexOf('L') < 0;
    }

    private String finish() {
        String packed = "struct.pack('<Bd%s', %%d, now%s)".formatted("d".repeat(answered), answer);
        String refused = packed.formatted(SEEN);
        String charged = packed.formatted(CHARGED);
        if (answersWithWhatWasWritten()) {
            return "%slocal told\nif %s then\nif %s then\ntold = %s\nend\n%sreturn told\nend\nreturn %s\n"
                    .formatted(text, verdict, stepped, charged, writes, refused);
        }
        return switch (purpose) {
            case PEEK -> "%sreturn %s\n".formatted(text, refused);
            case REFUND -> text + writes.toString() + "return ''\n";
            case ACQUIRE ->
                "%sif %s then\nlocal answer = %s\n%sreturn answer\nend\nreturn %s\n"
                        .formatted(text, verdict, charged, writes, refused);
        };
    }
}

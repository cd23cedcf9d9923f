package io.ratelimit.expression;

import java.net.InetAddress;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** Turns what a key expression gave into text. */
final class KeyValue {

    private static final int MAX_DEPTH = 8;

    /** Whether a class inherits {@code toString} from {@code Object}, so that its text is different every time. */
    private static final ClassValue<Boolean> WITHOUT_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() == Object.class;
            } catch (NoSuchMethodException e) {
                return true;
            }
        }
    };

    private KeyValue() {}

    /** Returns the key; {@code null} for nothing, an empty text, or parts of which one is nothing or empty. */
    static @Nullable PartitionKey toKey(KeyText kind, @Nullable Object value, boolean secret) {
        Collection<?> parts = value instanceof String ? null : parts(value);
        if (parts == null) {
            String text = text(value);
            return text == null ? null : kind.key(text, secret);
        }
        StringBuilder joined = new StringBuilder();
        return join(parts, joined, 0) ? KeyText.COMPOSITE.key(joined.toString(), secret) : null;
    }

    private static @Nullable Collection<?> parts(@Nullable Object value) {
        if (value instanceof Collection<?> collection) {
            return collection;
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet();
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return Arrays.asList(entry.getKey(), entry.getValue());
        }
        return value != null && value.getClass().isArray() ? List.of(ObjectUtils.toObjectArray(value)) : null;
    }

    /** Joins parts as {@code [a,b]}, with the characters of that notation written as %xx inside of them. */
    private static boolean join(Collection<?> parts, StringBuilder joined, int depth) {
        if (depth == MAX_DEPTH) {
            throw new IllegalStateException("the key is nested more than %d lists deep".formatted(MAX_DEPTH));
        }
        char separator = '[';
        for (Object part : parts) {
            joined.append(separator);
            separator = ',';
            Collection<?> nested = parts(part);
            if (nested != null ? !join(nested, joined, depth + 1) : !appendEscaped(text(part), joined)) {
                return false;
            }
        }
        joined.append(']');
        return separator == ',';
    }

    private static boolean appendEscaped(@Nullable String text, StringBuilder joined) {
        if (text == null) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '%' -> joined.append("%25");
                case ',' -> joined.append("%2C");
                case '[' -> joined.append("%5B");
                case ']' -> joined.append("%5D");
                default -> joined.append(c);
            }
        }
        return true;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Optional<?> optional) {
            return text(optional.orElse(null));
        }
        String text;
        if (value instanceof String itself) {
            text = itself;
        } else if (value instanceof Principal principal) {
            text = principal.getName();
        } else if (value instanceof Enum<?> constant) {
            text = constant.name();
        } else if (value instanceof InetAddress address) {
            text = address.getHostAddress();
        } else {
            text = ownText(value);
        }
        return text == null || text.isBlank() ? null : text;
    }

    private static @Nullable String ownText(Object value) {
        if (WITHOUT_TEXT.get(value.getClass())) {
            throw new IllegalStateException("the key is a %s, which has no text of its own; use one of its properties"
                    .formatted(value.getClass().getSimpleName()));
        }
        return value.toString();
    }
}

package io.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Lua resource cut into named parts: each begins with a line {@code --@ name}. Comments are left out, so that they cost
 * neither bandwidth nor Redis memory.
 */
final class LuaParts {

    private static final String MARK = "(?m)^--@ ";

    private final Map<String, String> parts;

    private LuaParts(String source) {
        parts = Arrays.stream(source.split(MARK))
                .skip(1)
                .map(part -> part.split("\n", 2))
                .collect(Collectors.toUnmodifiableMap(part -> part[0].strip(), part -> withoutComments(part[1])));
    }

    /** Reads the resource of this name beside this class. */
    static LuaParts read(String resource) {
        try (InputStream in = LuaParts.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource %s is missing from the jar".formatted(resource));
            }
            return new LuaParts(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String part(String name) {
        String part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException("no part '%s' among %s".formatted(name, parts.keySet()));
        }
        return part;
    }

    private static String withoutComments(String source) {
        return source.lines()
                .filter(line -> !line.isBlank() && !line.strip().startsWith("--"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}

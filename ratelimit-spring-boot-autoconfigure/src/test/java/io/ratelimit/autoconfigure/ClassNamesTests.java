package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;

/**
 * Every class that is named as text exists on this line of Spring Boot; of one that moved between the lines, exactly one
 * of its names. The names are read from what is in the jar: constants of the compiled classes, and its text files.
 */
class ClassNamesTests {

    private static final List<List<String>> MOVED = List.of(
            List.of(
                    "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                    "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"),
            List.of(
                    "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
                    "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"));

    private static final Pattern NAME = Pattern.compile("[a-z]\\w*(?:\\.[a-z]\\w*)+\\.[A-Z][\\w$]*");

    private final Path jar;

    ClassNamesTests() throws Exception {
        jar = Path.of(RateLimitAutoConfiguration.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    @Test
    void everyNameInTheCodeIsThatOfAClass() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : files(".class")) {
            constants(file).filter(text -> NAME.matcher(text).matches()).forEach(names::add);
        }
        assertThat(names)
                .contains("reactor.core.publisher.Mono", "io.ratelimit.expression.ExpressionRoot")
                .containsAll(moved());
        names.removeAll(moved());
        assertThat(names).allMatch(ClassNamesTests::exists);
    }

    @Test
    void exactlyOneNameOfWhatMovedExists() {
        assertThat(MOVED)
                .allSatisfy(names ->
                        assertThat(names).filteredOn(ClassNamesTests::exists).hasSize(1));
    }

    @Test
    void everyNameInTheTextFilesIsThatOfAClass() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String ending : List.of(".factories", ".imports", ".json")) {
            for (Path file : files(ending)) {
                NAME.matcher(Files.readString(file))
                        .results()
                        .map(MatchResult::group)
                        .forEach(names::add);
            }
        }
        assertThat(names)
                .contains(
                        "io.ratelimit.autoconfigure.RateLimitRuntimeHints", RateLimitAutoConfiguration.class.getName())
                .allMatch(ClassNamesTests::exists);
    }

    private static List<String> moved() {
        return MOVED.stream().flatMap(List::stream).toList();
    }

    private static boolean exists(String name) {
        return ClassUtils.isPresent(name, ClassNamesTests.class.getClassLoader());
    }

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(jar)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    /** The texts among a class's constants: chapter 4.4 of the Java Virtual Machine Specification. */
    private static Stream<String> constants(Path classFile) {
        Stream.Builder<String> texts = Stream.builder();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(classFile))) {
            in.skipNBytes(8);
            int count = in.readUnsignedShort();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> texts.add(in.readUTF());
                    case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++;
                    }
                    default -> throw new IllegalStateException("constant of kind %d in %s".formatted(tag, classFile));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts.build();
    }
}

package io.ratelimit.sample.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of this machine that tests use; where one is missing, the tests are skipped and say so. */
final class Programs {

    private Programs() {}

    static Optional<Path> find(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Returns the first of some programs that is there.
     *
     * @param debianPackages what to install otherwise
     * @param names names of programs, any of which will do
     */
    static Path require(String debianPackages, String... names) {
        Optional<Path> found =
                Stream.of(names).flatMap(name -> find(name).stream()).findFirst();
        if (found.isEmpty()) {
            String reason = "browser tests skipped: no %s on the PATH (Debian: apt-get install %s)"
                    .formatted(String.join(" or ", names), debianPackages);
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        return found.orElseThrow();
    }
}

package io.gpusched.demo.process;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/// Programs that a guide page uses.
public final class Tools {
    private Tools() {}

    /// Skips the test if the program is missing. With `CI` set it fails instead, because a skipped
    /// test would look like a passed one.
    public static void need(String tool) {
        if (Files.isExecutable(Path.of("/usr/bin", tool))) {
            return;
        }
        String missing = "the page uses " + tool + ": install it";
        if (System.getenv().getOrDefault("CI", "").isEmpty()) {
            abort(missing);
        } else {
            fail(missing);
        }
    }
}

package io.gpusched.demo.process;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/// Programs that a page tells people to use.
public final class Tools {
    private Tools() {}

    /// Goes on if it is there. A person may lack it and is told; where all is checked (`CI` is
    /// set), a walk that is not walked would pass for one that succeeded.
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

package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Bans imports and calls that Maven would allow in a module. `ARCHITECTURE.md` has the whole map;
/// `core` has its own, stricter `PurityTest`.
final class ModuleBoundaryTest {
    /// @param banned each the beginning of an import, or a call, which ends with `(`
    record Ban(String module, String reason, List<String> banned) {
        static Ban of(String module, String reason, String... banned) {
            return new Ban(module, reason, List.of(banned));
        }

        boolean isBrokenBy(String line) {
            String code = line.strip().replaceFirst("^import (static )?", "");
            return !code.startsWith("//")
                    && banned.stream()
                            .anyMatch(
                                    word ->
                                            word.endsWith("(")
                                                    ? code.contains(word)
                                                    : code.startsWith(word));
        }
    }

    static List<Ban> bans() {
        return List.of(
                Ban.of("wire", "maps types, opens nothing", "java.net.", "java.sql.", "javax.sql."),
                Ban.of(
                        "sim",
                        "time is simulated, runs are single-threaded",
                        "java.net.",
                        "java.util.concurrent.",
                        "java.time.Clock",
                        "Instant.now(",
                        "System.nanoTime(",
                        "System.currentTimeMillis("),
                Ban.of(
                        "rl",
                        "time is simulated, nothing is served or stored",
                        "java.net.",
                        "java.sql.",
                        "java.time.Clock",
                        "io.gpusched.server",
                        "io.gpusched.store",
                        "Instant.now(",
                        "System.currentTimeMillis("),
                Ban.of(
                        "store",
                        "keeps what events say, never decides",
                        "io.gpusched.core.policy",
                        "io.gpusched.core.explain",
                        "io.gpusched.core.engine"),
                Ban.of("server", "SQL lives in store", "java.sql.", "javax.sql."),
                agent(),
                Ban.of(
                        "cli",
                        "starts fast: REST only, over HttpURLConnection",
                        "io.gpusched.core",
                        "io.gpusched.wire",
                        "com.google.protobuf",
                        "java.net.http."),
                Ban.of(
                        "gateway",
                        "talks to the scheduler by REST only",
                        "io.gpusched.core",
                        "io.gpusched.wire",
                        "io.gpusched.server"),
                Ban.of("lab", "works on files and journals", "io.gpusched.server"),
                Ban.of(
                        "demo",
                        "is a fleet, not a scheduler",
                        "io.gpusched.core.policy",
                        "io.gpusched.core.explain",
                        "io.gpusched.core.engine"));
    }

    private static Ban agent() {
        return Ban.of(
                "agent",
                "knows facts and messages only",
                "io.gpusched.core.nodes",
                "io.gpusched.core.tenants",
                "io.gpusched.core.queue",
                "io.gpusched.core.state",
                "io.gpusched.core.learn",
                "io.gpusched.core.policy",
                "io.gpusched.core.explain",
                "io.gpusched.core.engine",
                "io.gpusched.core.cell");
    }

    @ParameterizedTest
    @MethodSource("bans")
    void aModuleUsesOnlyWhatItMay(Ban ban) {
        var checkout = Checkout.here();
        var broken = new ArrayList<String>();
        for (Path file : checkout.java()) {
            if (!file.startsWith(Path.of(ban.module(), "src", "main"))) {
                continue;
            }
            List<String> lines = checkout.lines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (ban.isBrokenBy(lines.get(i))) {
                    broken.add(file + ":" + (i + 1) + " " + lines.get(i).strip());
                }
            }
        }
        assertThat(broken).as("%s %s", ban.module(), ban.reason()).isEmpty();
    }
}

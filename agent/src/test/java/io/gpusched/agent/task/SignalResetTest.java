package io.gpusched.agent.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Signals as a task finds them, below parents that ignore some.
final class SignalResetTest {
    @Test
    void whatTheParentIgnoresTheTaskDoesNot() throws IOException {
        List<String> fresh = SignalReset.prefix();
        assumeFalse(fresh.isEmpty(), "this machine's env does not know --default-signal");
        assertThat(ignoredBelowAStubbornParent(List.of())).containsExactly("HUP", "INT", "QUIT");
        assertThat(ignoredBelowAStubbornParent(fresh)).isEmpty();
    }

    @Test
    void aMaskNamesItsSignals() {
        assertThat(SignalReset.names("0000000000000000")).isEmpty();
        assertThat(SignalReset.names("0000000000000005")).containsExactly("HUP", "QUIT");
        assertThat(SignalReset.names("fffffffffffffff2")).containsExactly("INT");
    }

    private static List<String> ignoredBelowAStubbornParent(List<String> before)
            throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of("/bin/sh", "-c", "trap '' HUP INT QUIT; exec \"$@\"", "sh"));
        words.addAll(before);
        words.addAll(List.of("grep", "SigIgn", "/proc/self/status"));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String line =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return SignalReset.names(line.replaceFirst("SigIgn:\\s*", ""));
    }
}

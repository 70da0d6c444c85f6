package io.gpusched.agent.task;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Gives tasks the signals as a login shell has them, however the agent was started.
///
/// What a process ignores, its children ignore too, and neither a shell nor a JVM can undo that for
/// them. An agent started by `nohup` or in the background of a script ignores SIGHUP or SIGINT, and
/// so would every task: a training that saves its work on SIGINT never would. GNU `env` can undo
/// it; where there is none, the agent says what its tasks will miss.
final class SignalReset {
    private static final Logger log = LoggerFactory.getLogger(SignalReset.class);
    private static final List<String> ENV = List.of("env", "--default-signal");
    private static final List<String> NAMES = List.of("HUP", "INT", "QUIT");
    private static final long PATIENCE_SECONDS = 10;

    private SignalReset() {}

    /// The words to put before a command so that it ignores nothing; none where nothing can help.
    static List<String> words() throws IOException {
        if (known()) {
            return ENV;
        }
        if (!ignored().isEmpty()) {
            log.warn(
                    "tasks will ignore the signals {}, as this agent does: it was started that way,"
                            + " and this machine's env does not know --default-signal",
                    ignored());
        }
        return List.of();
    }

    private static boolean known() {
        List<String> words = new ArrayList<>(ENV);
        words.add("true");
        try {
            Process probe =
                    new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start();
            return probe.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException e) { // No env at all.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Those of SIGHUP, SIGINT and SIGQUIT that this process ignores.
    static List<String> ignored() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return names(line.substring("SigIgn:".length()).strip());
            }
        }
        return List.of();
    }

    /// The names in a mask as the kernel writes it: hexadecimal, signal 1 in the lowest bit.
    static List<String> names(String mask) {
        long bits = Long.parseUnsignedLong(mask, 16);
        List<String> names = new ArrayList<>();
        for (int signal = 1; signal <= NAMES.size(); signal++) {
            if ((bits >>> (signal - 1) & 1) != 0) {
                names.add(NAMES.get(signal - 1));
            }
        }
        return names;
    }
}

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

/// Gives tasks the default signal handling, however the agent was started.
///
/// A child process inherits ignored signals, and neither a shell nor a JVM can undo that. An agent
/// started by `nohup` or in the background of a script ignores SIGHUP or SIGINT, and so would every
/// task: a training job that saves its state on SIGINT never would. GNU `env` can reset them;
/// without it, the agent logs a warning.
final class SignalReset {
    private static final Logger log = LoggerFactory.getLogger(SignalReset.class);
    private static final List<String> ENV = List.of("env", "--default-signal");
    private static final List<String> NAMES = List.of("HUP", "INT", "QUIT");
    private static final long PATIENCE_SECONDS = 10;

    private SignalReset() {}

    /// The command prefix that resets ignored signals; empty if none is needed or possible.
    static List<String> prefix() throws IOException {
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
        List<String> command = new ArrayList<>(ENV);
        command.add("true");
        try {
            Process probe =
                    new ProcessBuilder(command)
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

    /// Which of SIGHUP, SIGINT and SIGQUIT this process ignores.
    static List<String> ignored() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return names(line.substring("SigIgn:".length()).strip());
            }
        }
        return List.of();
    }

    /// The names in a signal mask of the kernel: hexadecimal, signal 1 in the lowest bit.
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

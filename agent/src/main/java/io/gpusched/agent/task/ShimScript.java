package io.gpusched.agent.task;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;

/// The shell script that runs one task and outlives the agent; its head describes it.
///
/// It is copied to the data directory under a name that depends on its content, because a shell
/// reads a script while running it: a newer agent must not change the script of a running task.
final class ShimScript {
    private final Path script;
    private final List<String> freshSignals;

    private ShimScript(Path script, List<String> freshSignals) {
        this.script = script;
        this.freshSignals = freshSignals;
    }

    static ShimScript install(Path directory) throws IOException {
        byte[] content;
        try (InputStream resource =
                Objects.requireNonNull(ShimScript.class.getResourceAsStream("shim.sh"))) {
            content = resource.readAllBytes();
        }
        CRC32 sum = new CRC32();
        sum.update(content);
        Path script = directory.resolve("shim-%08x.sh".formatted(sum.getValue()));
        if (!Files.exists(script)) {
            AtomicFiles.write(script, content);
        }
        return new ShimScript(script, SignalReset.prefix());
    }

    /// The arguments of a shim.
    record Terms(
            Path directory,
            Path lease,
            String cookie,
            long limitTicks,
            long graceTicks,
            LogLimits log) {}

    /// Starts a shim in its own session, without the agent's environment and with default signal
    /// handling.
    Process start(Terms terms) throws IOException {
        List<String> command = new ArrayList<>(freshSignals);
        command.addAll(
                List.of(
                        "setsid",
                        "/bin/sh",
                        script.toString(),
                        terms.directory.toString(),
                        terms.lease.toString(),
                        TaskNames.COOKIE + "=" + terms.cookie,
                        Long.toString(terms.limitTicks),
                        Long.toString(terms.graceTicks),
                        Long.toString(terms.log.segmentBytes()),
                        Integer.toString(terms.log.segments())));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(Redirect.DISCARD);
        builder.redirectError(terms.directory.resolve("shim.err").toFile());
        return builder.start();
    }
}

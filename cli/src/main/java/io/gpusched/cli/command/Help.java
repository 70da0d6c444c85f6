package io.gpusched.cli.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Objects;

/// The same as `--help`, for those who type it as a word.
@Command(
        name = "help",
        description = "Show help for gpu-cli or for one command.",
        footer = {"", "Example:", "  gpu-cli help submit"})
public final class Help implements Action {
    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "A command.")
    @Nullable String command;

    @Override
    public int run(Session session) {
        CommandLine root = Objects.requireNonNull(spec).root().commandLine();
        CommandLine chosen = command == null ? root : root.getSubcommands().get(command);
        if (chosen == null) {
            throw new Misuse("there is no command " + command + "; gpu-cli help lists all");
        }
        chosen.usage(session.printer().raw());
        return 0;
    }
}

package io.gpusched.cli.command;

import org.jspecify.annotations.Nullable;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Objects;

/// Prints a script that teaches a shell our commands and options.
@Command(
        name = "completion",
        description = "Print a completion script for a shell.",
        footer = {
            "",
            "Examples:",
            "  source <(gpu-cli completion bash)",
            "  gpu-cli completion zsh > ~/.gpu-cli.zsh && echo 'source ~/.gpu-cli.zsh' >> ~/.zshrc"
        })
public final class Completion implements Action {
    /// The shells we know. They share one script, which tells them apart by itself.
    enum Shell {
        BASH,
        ZSH
    }

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    Shell shell = Shell.BASH;

    @Override
    public int run(Session session) {
        var root = Objects.requireNonNull(spec).root().commandLine();
        session.printer().raw().print(AutoComplete.bash("gpu-cli", root));
        return 0;
    }
}

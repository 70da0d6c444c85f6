package io.gpusched.gateway;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The entry point of `bin/gateway`. Exit codes: 0 for success, 1 when the gateway failed, 2 for
/// wrong usage.
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        version = "gpu-scheduler gateway",
        description = "Passes requests of LLM clients to the replicas of pools.")
public final class Main implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}

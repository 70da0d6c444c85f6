package io.gpusched.gateway;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/// The entry point of `bin/gateway`. Exit codes: 0 for success, 1 when the gateway failed, 2 for
/// wrong usage.
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        version = "gpu-scheduler gateway",
        sortOptions = false,
        usageHelpWidth = 100,
        description =
                "Serves an OpenAI-compatible endpoint for every pool: passes requests to replicas,"
                        + " measures them, and reports the load to the scheduler.")
public final class Main implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init")
    private GatewayOptions options;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "io/gpusched/gateway/logback.xml");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        var line = new CommandLine(new Main());
        line.setExecutionExceptionHandler(Main::tell);
        return line;
    }

    /// An error that the user can correct is one sentence; a defect of the program keeps its trace.
    private static int tell(Exception problem, CommandLine line, CommandLine.ParseResult parsed)
            throws Exception {
        if (problem instanceof InvalidOption || problem instanceof IOException) {
            line.getErr().println("gateway: " + problem.getMessage());
            return problem instanceof InvalidOption
                    ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        }
        throw problem;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        GatewaySettings settings = options.settings();
        Duration patience = options.shutdown();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (options.isOpen() && !settings.listen().getAddress().isLoopbackAddress()) {
            err.println(
                    "gateway: warning: --open lets everybody use every pool from other machines");
        }
        var gateway = new Gateway(settings);
        gateway.start();
        if (!gateway.isReachable()) {
            err.println(
                    "gateway: warning: the scheduler at "
                            + settings.scheduler()
                            + " does not answer yet; the gateway keeps asking");
        }
        out.println(
                "gateway listening on http://%s:%s id=%s scheduler=%s"
                        .formatted(
                                settings.listen().getHostString(),
                                gateway.port(),
                                gateway.source(),
                                settings.scheduler()));
        out.flush();
        stopWithProcess(gateway, patience);
        new CountDownLatch(1).await();
        return 0;
    }

    private static void stopWithProcess(Gateway gateway, Duration patience) {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("gateway-shutdown")
                                .unstarted(() -> stop(gateway, patience)));
    }

    private static void stop(Gateway gateway, Duration patience) {
        try {
            int cut = gateway.stop(patience);
            if (cut > 0) {
                System.err.println("gateway: " + cut + " requests were cut off");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

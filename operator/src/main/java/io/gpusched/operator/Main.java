package io.gpusched.operator;

import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.InvalidKubeConfig;
import io.gpusched.operator.kube.KubeConfig;
import io.gpusched.operator.kube.KubeException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.concurrent.Callable;

/// The entry point of `bin/operator`. Exit codes: 0 for success, 1 when the operator failed, 2 for
/// wrong usage.
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        version = "gpu-scheduler operator",
        sortOptions = false,
        usageHelpWidth = 100,
        description =
                "Runs jobs on one Kubernetes cluster, and schedules its pods that name"
                        + " gpu-scheduler as their scheduler.")
public final class Main implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init")
    private OperatorOptions options;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "io/gpusched/operator/logback.xml");
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
        boolean usage = problem instanceof UnusableOption || problem instanceof InvalidKubeConfig;
        if (usage || problem instanceof IOException || problem instanceof KubeException) {
            line.getErr().println("operator: " + problem.getMessage());
            return usage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        }
        throw problem;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OperatorSettings settings = options.settings();
        KubeConfig config =
                KubeConfig.find(options.kubeconfig(), options.context(), System.getenv());
        try (var api = new HttpKubeApi(config);
                var operator = new Operator(api, settings)) {
            operator.start();
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .name("operator-shutdown")
                                    .unstarted(operator::close));
            spec.commandLine()
                    .getOut()
                    .println(
                            "operator cluster=%s scheduler=%s agents=%s health=%d"
                                    .formatted(
                                            operator.cluster(),
                                            settings.scheduler().rest(),
                                            settings.scheduler().agents(),
                                            operator.healthPort()));
            spec.commandLine().getOut().flush();
            operator.awaitClosed();
            return 0;
        }
    }
}

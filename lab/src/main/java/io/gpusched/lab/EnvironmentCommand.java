package io.gpusched.lab;

import io.gpusched.lab.compare.LabWorkload;
import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.environment.EnvironmentServer;
import io.gpusched.rl.cluster.ClusterEnvironment;
import io.gpusched.rl.cluster.Objective;
import io.gpusched.sim.scenario.BadScenario;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Serves the reinforcement-learning environment on a local socket.
@Command(
        name = "environment",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves the reinforcement-learning environment on a local socket, for agents that are",
            "trained in Python or another language. The production scheduler carries out every",
            "start. Without --scenario or --trace it is the environment of the benchmark, and the",
            "options below are the defaults of clients that do not choose settings.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab environment --port 5555",
            "  lab environment --port 5555 --num-gpus 16 --lookahead-mode cdf",
            "  lab environment --scenario scenarios/busy-day.yaml --objective wait=0.7,energy=0.3",
            "  lab environment --trace samples/philly.csv --nodes 2x8 --objective slowdown",
            "",
            "python/gpusched_gym.py is a client for Python. docs/guide/environment.md describes"
                    + " the",
            "protocol."
        })
final class EnvironmentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port to listen on (default 5555); 0 takes any free port.")
    private int port = 5555;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Address to listen on (default 127.0.0.1). Clients need no password, so every"
                            + " client that reaches the address can use the environment.")
    private String host = "127.0.0.1";

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "Serve the cluster and the jobs of this scenario.")
    private @Nullable Path scenario;

    @Option(
            names = "--objective",
            paramLabel = "GOALS",
            defaultValue = "completion",
            description = {
                "What a scenario or a trace rewards: wait, slowdown, completion, fairness or"
                        + " energy,",
                "or several with weights, such as wait=0.7,energy=0.3 (default ${DEFAULT-VALUE})."
            })
    @SuppressWarnings("NullAway.Init")
    private String objective;

    @Option(
            names = "--episode-jobs",
            paramLabel = "N",
            defaultValue = "400",
            description =
                    "Jobs of an episode of a scenario or a trace, consecutive ones that the seed"
                            + " chooses (default ${DEFAULT-VALUE}); 0 for all.")
    private int episodeJobs;

    @Mixin private TraceOptions traces = new TraceOptions();

    @Mixin private EnvironmentOptions options = new EnvironmentOptions();

    @Override
    public Integer call() {
        try (EnvironmentServer server = listen()) {
            var atExit = new Thread(server::close, "close-environment");
            Runtime.getRuntime().addShutdownHook(atExit);
            PrintWriter lines = spec.commandLine().getOut();
            lines.printf(
                    "Serving the environment on %s:%d; press Ctrl-C to stop.%n",
                    server.address().getHostAddress(), server.port());
            lines.flush();
            server.await();
        } catch (InterruptedException e) {
            // A request to stop; the server is closed by now.
            return 0;
        }
        return 0;
    }

    private EnvironmentServer listen() {
        if (port < 0 || port > 65_535) {
            throw new UserError("--port: expected 0 to 65535, found " + port);
        }
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UserError("--host: there is no address " + host);
        }
        try {
            return new EnvironmentServer(address, options.parameters(), given());
        } catch (IOException e) {
            throw new UserError(
                    "cannot listen on %s:%d: %s; choose another --port"
                            .formatted(host, port, e.getMessage()));
        }
    }

    /// The environment of a scenario or a trace; null for the benchmark.
    private @Nullable Supplier<ClusterEnvironment> given() {
        Scenario chosen = chosen();
        if (chosen == null) {
            refuse("--objective", "needs --scenario or --trace; the benchmark has one reward");
            refuse("--episode-jobs", "needs --scenario or --trace");
            return null;
        }
        refuse("--lookahead-mode", "is for the benchmark; leave it out with --scenario or --trace");
        if (episodeJobs < 0) {
            throw new UserError("--episode-jobs: expected 0 or more, found " + episodeJobs);
        }
        EnvironmentParameters sizes = options.parameters();
        try {
            var settings =
                    new ClusterEnvironment.Settings(
                            sizes.maxQueueSize(),
                            sizes.maxEpisodeSteps(),
                            episodeJobs,
                            Objective.parse(objective));
            return () -> new ClusterEnvironment(chosen, settings);
        } catch (IllegalArgumentException e) {
            throw new UserError("--objective: " + e.getMessage());
        }
    }

    /// An option that would have no effect is a mistake.
    private void refuse(String option, String reason) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            throw new UserError(option + " " + reason);
        }
    }

    private @Nullable Scenario chosen() {
        PrintWriter err = spec.commandLine().getErr();
        List<LabWorkload> all =
                traces.courses(0, spec.commandLine().getParseResult(), err::println);
        if (all.size() + (scenario == null ? 0 : 1) > 1) {
            throw new UserError("expected one --scenario or one --trace, found several");
        }
        if (scenario == null) {
            return all.isEmpty() ? null : all.getFirst().scenario();
        }
        try {
            return ScenarioFile.read(scenario);
        } catch (BadScenario bad) {
            throw new UserError(scenario + ": " + bad.getMessage());
        }
    }
}

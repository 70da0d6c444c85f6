package io.gpusched.bench;

import io.gpusched.bench.core.EnvironmentBench;
import io.gpusched.bench.core.EventsBench;
import io.gpusched.bench.core.ExplainBench;
import io.gpusched.bench.core.GangBench;
import io.gpusched.bench.core.LearnedBench;
import io.gpusched.bench.core.PhillyBench;
import io.gpusched.bench.core.PlacementBench;
import io.gpusched.bench.core.QueueBench;
import io.gpusched.bench.core.SimulationBench;
import io.gpusched.bench.core.SubmissionBench;
import io.gpusched.bench.core.TrainingBench;
import io.gpusched.bench.server.FleetBench;
import io.gpusched.bench.server.GatewayBench;
import io.gpusched.bench.server.ListenersBench;
import io.gpusched.bench.server.MemoryBench;
import io.gpusched.bench.server.PageBench;
import io.gpusched.bench.server.ReadsBench;
import io.gpusched.bench.server.RestBench;
import io.gpusched.bench.server.RestartBench;
import io.gpusched.bench.server.ScoreBench;
import io.gpusched.bench.server.StartBench;
import io.gpusched.bench.server.WhatIfBench;

import java.nio.file.Path;
import java.util.List;

/// `bin/bench`: measures, prints, and writes what it found to `docs/results`.
public final class Main {
    private Main() {}

    /// The first argument is the root of the project, which the launcher knows.
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        List<Bench> all = benches(root);
        var words = List.of(arguments).subList(1, arguments.length);
        System.exit(
                new BenchRun(all, root.resolve("docs/results"), System.out, System.err).run(words));
    }

    /// In the order of the report.
    static List<Bench> benches(Path root) {
        return List.of(
                new QueueBench(),
                new SubmissionBench(),
                new PlacementBench(),
                new ExplainBench(),
                new GangBench(),
                new SimulationBench(root),
                new EventsBench(),
                new PhillyBench(root),
                new EnvironmentBench(),
                new TrainingBench(),
                new LearnedBench(),
                new RestBench(root, RestBench.Store.SQLITE),
                new RestBench(root, RestBench.Store.POSTGRES),
                new ReadsBench(root),
                new FleetBench(),
                new PageBench(root),
                new ListenersBench(root),
                new ScoreBench(root),
                new RestartBench(root),
                new MemoryBench(root),
                new StartBench(root),
                new WhatIfBench(root),
                new GatewayBench(root));
    }
}

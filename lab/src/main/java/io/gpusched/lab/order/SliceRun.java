package io.gpusched.lab.order;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.lab.philly.VirtualCluster;
import io.gpusched.sim.trace.TraceRun;

import java.time.Duration;
import java.util.Objects;

/// Runs a slice of a GPU trace on the production core, as a server would: the policy sees expected
/// runtimes only, and a preempted job loses the time of a restart.
public final class SliceRun {
    /// The policy of a model.
    public static final String LEARNED = "learned";

    private final ClusterSlices slices;

    public SliceRun(ClusterSlices slices) {
        this.slices = slices;
    }

    /// Runs under a policy of the scheduler.
    public VirtualCluster.Outcome run(ClusterSlices.Slice slice, String policy) {
        return run(slice, named(policy, PolicySettings.DEFAULT));
    }

    /// Runs under the order of a model.
    ///
    /// @param bound how long the model may keep a job waiting
    public VirtualCluster.Outcome run(
            ClusterSlices.Slice slice, RankingModel model, Duration bound) {
        var learned = new LearnedSettings(model, bound);
        return run(slice, named(LEARNED, PolicySettings.DEFAULT.with(learned)));
    }

    private static Policy named(String name, PolicySettings settings) {
        return Objects.requireNonNull(Policies.named(name, settings), name);
    }

    private VirtualCluster.Outcome run(ClusterSlices.Slice slice, Policy policy) {
        var cluster = new VirtualCluster(slice.jobs(), slice.nodes());
        var run =
                new TraceRun(
                                slice.jobs(),
                                cluster.cluster(),
                                policy,
                                EngineSettings.DEFAULT,
                                VirtualCluster.manners(Duration.ZERO))
                        .expecting(slices::expectation);
        return VirtualCluster.outcome(run.run());
    }
}

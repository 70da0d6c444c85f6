package io.gpusched.core.learn;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Feeds runs of the scheduler's own jobs to the runtime model. A run that ends by itself or at its
/// limit, successfully or not, shows how long it took; a run that was stopped shows nothing.
public final class RuntimeObserver {
    private static final int MOST_NEIGHBOURS = 8;

    private RuntimeObserver() {}

    /// Feeds the model with an event that the ledger has recorded.
    static void observe(Event event, ClusterView cluster, RuntimeModel model) {
        switch (event) {
            case Event.AttemptRunning e -> begins(e, cluster, model);
            case Event.JobEnded e -> {
                if (endedByItself(e.outcome())) {
                    model.ended(e.job().number(), over(e, cluster), e.at());
                } else {
                    model.abandoned(e.job().number());
                }
            }
            case Event.JobRequeued e -> model.abandoned(e.job().number());
            case Event.Observed e ->
                    model.observed(
                            new Profile(e.kind(), e.gpuModel(), e.features()),
                            e.neighbours(),
                            e.ran().toNanos() / 1e9,
                            e.at());
            case Event.Imported e -> {
                e.runs().forEach(model::imported);
                e.interference().forEach(model::imported);
            }
            default -> {}
        }
    }

    private static Instant over(Event.JobEnded e, ClusterView cluster) {
        Job job = cluster.job(e.job());
        return job != null && job.phase() instanceof Phase.Ended ended ? ended.over() : e.at();
    }

    /// A run stopped at its limit held its GPUs just as long; without such runs the model would
    /// miss the long ones.
    private static boolean endedByItself(Outcome outcome) {
        return switch (outcome.result()) {
            case COMPLETED -> true;
            case FAILED -> outcome.exitCode() > 0 || outcome.reason().equals("timeout");
            case CANCELLED -> false;
        };
    }

    private static void begins(Event.AttemptRunning e, ClusterView cluster, RuntimeModel model) {
        Job job = cluster.job(e.attempt().job());
        Run run = job == null ? null : job.phase().run();
        if (job != null && run != null) {
            model.started(
                    job.id().number(),
                    profile(job.spec(), gpu(run.on(), cluster)),
                    neighbours(job, run.on(), cluster),
                    e.at());
        }
    }

    /// The profile under which such a job is learned and estimated. A job without a kind gets one
    /// from its tenant and its number of GPUs.
    ///
    /// @param gpu the model it runs on; empty where it uses none, or it is not known yet
    public static Profile profile(JobSpec spec, String gpu) {
        int gpus = (int) Math.min(Integer.MAX_VALUE, (spec.milliGpus() + 999) / 1000);
        String kind = spec.kind().isEmpty() ? spec.tenant() + "/" + gpus : spec.kind();
        return new Profile(kind, gpu, new Features(gpus, spec.gpuMemoryMiB() / 1024.0, 0, 0));
    }

    /// The model of the GPUs in the placement, taken from the first task.
    public static String gpu(Placement on, ClusterView cluster) {
        Slot first = on.slots().getFirst();
        NodeView node = cluster.nodes().find(first.node());
        return node == null ? "" : gpu(node, first.grant());
    }

    /// The kinds of the jobs that use parts of the same GPUs.
    public static List<String> neighbours(Job job, Placement on, ClusterView cluster) {
        var kinds = new ArrayList<String>();
        for (Slot slot : on.slots()) {
            NodeView node = cluster.nodes().find(slot.node());
            if (node != null) {
                for (Job other : beside(job, node, slot.grant(), cluster)) {
                    String kind = profile(other.spec(), "").kind();
                    if (kinds.size() < MOST_NEIGHBOURS && !kinds.contains(kind)) {
                        kinds.add(kind);
                    }
                }
            }
        }
        return kinds;
    }

    /// The jobs that use parts of the GPUs that the job has, or would have, there.
    public static List<Job> beside(Job job, NodeView node, Grant grant, ClusterView cluster) {
        if (!isPart(grant)) {
            return List.of();
        }
        var all = new ArrayList<Job>();
        for (JobId id : node.jobs()) {
            Job other = cluster.job(id);
            if (other != null
                    && !id.equals(job.id())
                    && uses(other.phase().run(), node.facts().id(), grant.mask())) {
                all.add(other);
            }
        }
        return all;
    }

    private static boolean isPart(Grant grant) {
        return grant instanceof Grant.Shares || grant instanceof Grant.Slices;
    }

    private static boolean uses(@Nullable Run run, NodeId node, long gpus) {
        if (run == null) {
            return false;
        }
        for (Slot slot : run.on().slots()) {
            if (slot.node().equals(node) && (slot.grant().mask() & gpus) != 0) {
                return true;
            }
        }
        return false;
    }

    /// The model of the first GPU that the grant names; empty where it names none.
    public static String gpu(NodeView node, Grant grant) {
        long mask = grant.mask();
        int gpu = Long.numberOfTrailingZeros(mask);
        return mask == 0 || gpu >= node.facts().gpus().size()
                ? ""
                : node.facts().gpus().get(gpu).model().toString();
    }
}

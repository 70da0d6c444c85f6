package io.gpusched.core.learn;

import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The view that the runtime model has of a job: its [Profile] (kind of job, GPU model, features)
/// and the kinds of the jobs that share its GPUs.
public final class JobProfiles {
    private static final int MOST_NEIGHBOURS = 8;

    private JobProfiles() {}

    /// The profile under which such a job is learned and estimated. A job without a kind gets one
    /// from its tenant and its number of GPUs.
    ///
    /// @param gpu the model it runs on; empty where it uses none, or it is not known yet
    public static Profile of(JobSpec spec, String gpu) {
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
                    String kind = of(other.spec(), "").kind();
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

package io.gpusched.server.view;

import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node in a view.
///
/// @param usedGpus GPUs that jobs hold, one bit each
/// @param unfitGpus GPUs that must not be used, for the reason in their condition
/// @param holders which job holds which GPUs
/// @param refusals jobs that the node recently refused to start
public record NodeRow(
        Node facts,
        NodeStatus status,
        long usedGpus,
        long unfitGpus,
        long hotGpus,
        Resources used,
        List<GpuCondition> conditions,
        List<Held> holders,
        List<RefusedStart> refusals) {

    /// What one job holds on the node.
    ///
    /// @param parts the share of each GPU that the job holds in part, as text: `40 %`, `1g.5gb@0`
    /// @param millis the same shares in thousandths of the GPU
    public record Held(
            JobId job,
            long gpus,
            SortedMap<Integer, List<String>> parts,
            SortedMap<Integer, Integer> millis) {
        /// Thousandths of a GPU of the node that the job holds.
        public int milli(int gpu) {
            return (gpus >>> gpu & 1) == 0 ? 0 : Math.min(WHOLE, millis.getOrDefault(gpu, WHOLE));
        }
    }

    private static final int WHOLE = 1000;

    static NodeRow of(NodeView node, ClusterView cluster) {
        long gpus = 0;
        Resources used = Resources.NONE;
        var holders = new ArrayList<Held>();
        for (JobId id : node.jobs()) {
            Job job = cluster.job(id);
            Run run = job == null ? null : job.phase().run();
            if (run == null) {
                continue;
            }
            long mask = 0;
            var parts = new TreeMap<Integer, List<String>>();
            var millis = new TreeMap<Integer, Integer>();
            for (Slot slot : run.on().slots()) {
                if (slot.node().equals(node.facts().id())) {
                    mask |= slot.grant().mask();
                    addParts(slot.grant(), parts);
                    addMillis(slot.grant(), millis);
                    used = used.plus(slot.host());
                }
            }
            gpus |= mask & node.facts().allGpus(); // It may have lost some under the job.
            holders.add(new Held(id, mask, parts, millis));
        }
        var conditions = new ArrayList<GpuCondition>();
        for (int i = 0; i < node.facts().gpus().size(); i++) {
            conditions.add(node.condition(i));
        }
        return new NodeRow(
                node.facts(),
                node.status(),
                gpus,
                node.unfitGpus(),
                node.hotGpus(),
                used,
                List.copyOf(conditions),
                List.copyOf(holders),
                node.refusals());
    }

    private static void addParts(Grant grant, SortedMap<Integer, List<String>> parts) {
        switch (grant) {
            case Grant.None none -> {}
            case Grant.Whole whole -> {}
            case Grant.Counted counted -> {}
            case Grant.Slices slices ->
                    slices.at()
                            .forEach(at -> part(at.gpu(), at.profile() + "@" + at.first(), parts));
            case Grant.Shares shares -> {
                for (long rest = shares.mask(); rest != 0; rest &= rest - 1) {
                    int gpu = Long.numberOfTrailingZeros(rest);
                    part(gpu, percent(shares.milli()), parts);
                }
            }
        }
    }

    private static void addMillis(Grant grant, SortedMap<Integer, Integer> millis) {
        if (grant instanceof Grant.Slices slices) {
            for (MigSlot slice : slices.at()) {
                MigProfile profile = MigGpuModel.anyNamed(slice.profile());
                millis.merge(slice.gpu(), profile == null ? 0 : profile.milli(), Integer::sum);
            }
        } else if (grant instanceof Grant.Shares shares) {
            for (long rest = shares.mask(); rest != 0; rest &= rest - 1) {
                millis.merge(Long.numberOfTrailingZeros(rest), shares.milli(), Integer::sum);
            }
        }
    }

    private static String percent(int milli) {
        return milli / 10 + (milli % 10 == 0 ? "" : "." + milli % 10) + " %";
    }

    private static void part(int gpu, String words, SortedMap<Integer, List<String>> parts) {
        parts.computeIfAbsent(gpu, one -> new ArrayList<>()).add(words);
    }

    /// `ready`, `cordoned`, `draining`, `drained`, `unreachable` or `lost`.
    public String state() {
        return switch (status.reach()) {
            case UNREACHABLE -> "unreachable";
            case LOST -> "lost";
            case UP -> open();
        };
    }

    private String open() {
        if (status.draining()) {
            return holders.isEmpty() ? "drained" : "draining";
        }
        return status.cordoned() ? "cordoned" : "ready";
    }

    public boolean online() {
        return status.reach() == NodeStatus.Reach.UP;
    }

    public int totalGpus() {
        return facts.gpus().size();
    }

    /// The number of GPUs that are neither used nor unfit; 0 if the node is unreachable.
    public int freeGpus() {
        return online() ? totalGpus() - Long.bitCount(usedGpus | unfitGpus) : 0;
    }

    /// The job that holds the GPU; null if none does.
    public @Nullable JobId holder(int gpu) {
        for (Held held : holders) {
            if ((held.gpus >>> gpu & 1) == 1) {
                return held.job;
            }
        }
        return null;
    }
}

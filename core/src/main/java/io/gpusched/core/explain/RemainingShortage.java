package io.gpusched.core.explain;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.state.CapacityView;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;

/// What a waiting job would still lack if every job that may be preempted for it were stopped.
///
/// Often the missing capacity is kept for another job. Capacity that is being freed by preemption
/// is kept even from a job of higher priority: otherwise the stopped jobs would have lost their
/// work in vain. A reservation is kept from jobs behind its holder in the queue. A GPU that is too
/// hot for a new task stays hot for a while after its job has stopped.
///
///     n1: 4 GPUs of job-1 (low), 4 GPUs being freed for job-3    a job for 8 GPUs → at most 4 GPUs
///         would be usable on one node; 4 GPUs are reserved for other jobs
///
/// @param words the shortage; empty where the count does not show it
/// @param hot whether GPUs that are too hot are part of it
/// @param reservedFor the first few jobs for which capacity is kept
record RemainingShortage(String words, boolean hot, List<JobId> reservedFor) {
    RemainingShortage {
        reservedFor = List.copyOf(reservedFor);
    }

    /// @param victims the jobs that may be preempted for the job
    /// @param stopping jobs that are being stopped already
    static RemainingShortage after(
            List<Job> victims, List<Job> stopping, Hypothesis hypothesis, Job job) {
        return new Count(hypothesis, job).shortage(victims, stopping);
    }

    /// Looks at every node that the job could use, twice.
    private static final class Count {
        private final Hypothesis hypothesis;
        private final Job job;
        private final CapacityView view;
        private final NodeIndex index;
        private final SequencedSet<JobId> holders = new LinkedHashSet<>();

        Count(Hypothesis hypothesis, Job job) {
            this.hypothesis = hypothesis;
            this.job = job;
            this.view = hypothesis.view(job);
            this.index = hypothesis.state.nodes().index();
        }

        private RemainingShortage shortage(List<Job> victims, List<Job> stopping) {
            var words = new ArrayList<String>();
            try (Trial trial = hypothesis.state.trial()) {
                victims.forEach(one -> trial.evict(run(one)));
                words.add(job.spec().tasks() > 1 ? tasks() : gpusOnOneNode());
                long hot = hotGpus();
                words.add(of(hot, "too hot for new tasks"));
                stopping.forEach(one -> trial.evict(run(one)));
                words.add(of(keptGpus(), "reserved for other jobs"));
                words.removeIf(String::isEmpty);
                return new RemainingShortage(
                        String.join("; ", words), hot > 0, List.copyOf(holders));
            }
        }

        /// `8 GPUs are reserved for other jobs`; empty for none.
        private static String of(long gpus, String what) {
            return gpus == 0 ? "" : Plurals.of(gpus, "GPU") + (gpus == 1 ? " is " : " are ") + what;
        }

        private String tasks() {
            long most = hypothesis.placer.headroom(job, view, true).mostTasks();
            int wanted = job.spec().tasks();
            return most >= wanted ? "" : most + " of " + wanted + " tasks would find a place";
        }

        private String gpusOnOneNode() {
            Shape shape = job.spec().roles().getFirst().shape();
            if (!(shape.gpus() instanceof GpuRequest.Whole whole)) {
                return "";
            }
            int most = 0;
            for (NodeView node : usable()) {
                most = Math.max(most, Long.bitCount(node.freeGpus() & ~node.hotGpus()));
            }
            return most >= whole.count()
                    ? ""
                    : "at most " + Plurals.of(most, "GPU") + " would be usable on one node";
        }

        /// GPUs that would be free, but take no new task of the job because they are too hot.
        private long hotGpus() {
            if (job.spec().milliGpus() == 0) {
                return 0;
            }
            long sum = 0;
            for (NodeView node : usable()) {
                sum += Long.bitCount(node.freeGpus() & node.hotGpus());
            }
            return sum;
        }

        /// GPUs that would be free if they were not kept for other jobs.
        private long keptGpus() {
            long sum = 0;
            for (NodeView node : usable()) {
                long kept = node.idleGpus() & ~node.freeGpus();
                if (kept != 0) {
                    sum += Long.bitCount(kept);
                    addHolders(node, kept);
                }
            }
            return sum;
        }

        private void addHolders(NodeView node, long kept) {
            for (Claim claim : hypothesis.state.claims()) {
                if (claim.claimHolder() instanceof ClaimHolder.OfJob of
                        && !of.job().equals(job.id())
                        && holders.size() <= RefusalCount.MOST_NAMED
                        && keeps(claim, node, kept)) {
                    holders.add(of.job());
                }
            }
        }

        private static boolean keeps(Claim claim, NodeView node, long gpus) {
            for (Slot slot : claim.slots()) {
                if (slot.node().equals(node.facts().id()) && (slot.grant().mask() & gpus) != 0) {
                    return true;
                }
            }
            return false;
        }

        /// The open nodes that suit a task of the job, as the job sees them.
        private List<NodeView> usable() {
            var nodes = new ArrayList<NodeView>();
            for (NodeView node : view.nodes().all()) {
                if (node.status().open() && suits(node)) {
                    nodes.add(node);
                }
            }
            return nodes;
        }

        private boolean suits(NodeView node) {
            for (Role role : job.spec().roles()) {
                NodeSearch.Suitable suitable = hypothesis.nodeSearch.suits(role.shape());
                if (suitable.has(index, node)) {
                    return true;
                }
            }
            return false;
        }

        private static Run run(Job job) {
            return Objects.requireNonNull(job.phase().run());
        }
    }
}

package io.gpusched.sim.whatif;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.nodes.NodeView;

import java.util.ArrayList;

/// Passes the recorded facts that no decision caused to a branch that has left the recorded
/// history: submissions, cancellations, node changes, changes of tenants and prices.
///
/// Reports about recorded runs are skipped, because the branch has other runs. So are commands that
/// make no sense in the branch, such as holding a job that already runs.
final class ExogenousEvents {
    private final ReplayBranch replayBranch;

    ExogenousEvents(ReplayBranch replayBranch) {
        this.replayBranch = replayBranch;
    }

    void tell(Event fact, Batch batch) {
        switch (fact) {
            case Event.JobSubmitted e -> replayBranch.record(replayBranch.expecting(e));
            case Event.JobUpdated e ->
                    replayBranch.hear(new Command.Reprioritise(e.job(), e.priority(), e.by()));
            case Event.JobHeld e ->
                    replayBranch.hear(new Command.Hold(e.job(), by("held by ", e.why())));
            case Event.JobReleased e -> replayBranch.hear(new Command.Release(e.job(), e.by()));
            case Event.JobEnded e -> {
                if (e.outcome().result() == Outcome.Result.CANCELLED) {
                    cancel(e.job(), e.outcome().reason());
                } else {
                    endReplica(e.job(), e.outcome());
                }
            }
            case Event.AttemptStopping e -> {
                if (e.cause().kind() == StopCause.Kind.CANCELLED
                        || e.cause().kind() == StopCause.Kind.SCALED_DOWN) {
                    cancel(e.attempt().job(), e.cause().detail());
                }
            }
            case Event.NodeJoined e -> joined(e);
            case Event.NodeChanged e -> changed(e, batch);
            case Event.NodeRemoved e -> {
                lose(e.node(), -1L);
                replayBranch.hear(new Command.RemoveNode(e.node(), "the record"));
            }
            case Event.GpuChanged e ->
                    replayBranch.hear(new Report.GpuChanged(e.node(), e.gpu(), e.condition()));
            case Event.ForeignChanged e ->
                    replayBranch.hear(new Report.ForeignUsage(e.node(), e.all()));
            case Event.TenantRemoved e ->
                    replayBranch.hear(new Command.RemoveTenant(e.tenant(), e.by()));
            case Event.PolicyChanged e -> replayBranch.changesPolicy(e);
            case Event.EngineStarted e -> replayBranch.takesCharge(e);
            case Event.AgentJoined _, Event.AgentLost _, Event.TenantPut _ ->
                    replayBranch.record(fact);
            case Event.MarketChanged _, Event.Observed _, Event.Scored _, Event.PoolLapsed _ ->
                    replayBranch.record(fact);
            case Event.RetentionChanged _, Event.Imported _, Event.LeaseBound _ ->
                    replayBranch.record(fact);
            case Event.OrdersDelayed _, Event.PoolChoice _ -> replayBranch.record(fact);
            case Event.PoolPut _, Event.PoolRemoved _, Event.PoolHeld _ ->
                    replayBranch.record(fact);
            case Event.PoolLoadChanged _, Event.PoolRecommended _, Event.PoolScaled _ ->
                    replayBranch.record(fact);
            case Event.ModelWanted _, Event.ModelUnwanted _ -> replayBranch.record(fact);
            case Event.ModelPut _, Event.ModelRemoved _, Event.ModelCached _ ->
                    replayBranch.record(fact);
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> replayBranch.record(fact);
            case Event.BindingPut _, Event.BindingRemoved _ -> replayBranch.record(fact);
            case Event.ForecastPut _, Event.ForecastRemoved _ -> replayBranch.record(fact);
            case Event.ReplicaDraining e -> draining(e);
            // Of runs and promises that are others here.
            case Event.AttemptPlaced _, Event.TaskChanged _, Event.TaskIdle _ -> {}
            case Event.StartRefused _, Event.RefusalConfirmed _, Event.AvoidanceEnded _ -> {}
            case Event.AttemptRunning _, Event.JobRequeued _, Event.CapacityChosen _ -> {}
            case Event.ClaimMade _, Event.ClaimDropped _, Event.SpotSeen _ -> {}
        }
    }

    private void draining(Event.ReplicaDraining e) {
        Job job = replayBranch.job(e.job());
        if (job != null && !job.ended()) {
            replayBranch.record(e);
        }
    }

    /// A replica that ended by itself ends here too, because its recorded replacement follows: all
    /// other jobs end after their own runtimes.
    private void endReplica(JobId id, Outcome outcome) {
        Job job = replayBranch.job(id);
        if (job == null || !job.spec().isReplica()) {
            return;
        }
        Run run = job.phase().run();
        if (run == null || !(job.phase() instanceof Phase.Running)) {
            cancel(id, outcome.reason());
            return;
        }
        var exit = new Exit(Exit.How.EXITED, Math.max(0, outcome.exitCode()), outcome.reason());
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            replayBranch.hear(new Report.TaskEnded(run.id(), rank, exit));
        }
    }

    private void cancel(JobId job, String how) {
        replayBranch.hear(new Command.Cancel(job, by("cancelled by ", how)));
    }

    private static String by(String before, String text) {
        return text.startsWith(before) ? text.substring(before.length()) : text;
    }

    /// Tasks on GPUs that the node no longer has are lost.
    private void joined(Event.NodeJoined e) {
        NodeView known = replayBranch.state().nodes().find(e.node().id());
        if (known != null) {
            lose(e.node().id(), known.facts().allGpus() & ~e.node().allGpus());
        }
        replayBranch.record(e);
    }

    private void changed(Event.NodeChanged e, Batch batch) {
        NodeView node = replayBranch.state().nodes().find(e.node());
        if (node == null) {
            return;
        }
        boolean drained = e.status().draining() && !node.status().draining();
        if (drained && evicts(e, batch)) {
            replayBranch.hear(new Command.Drain(e.node(), true, by("drained by ", e.reason())));
            return;
        }
        replayBranch.record(e);
        if (e.status().reach() == NodeStatus.Reach.LOST) {
            lose(e.node(), -1L);
        }
    }

    /// Whether the drain stopped running jobs. The scheduler drains a node by itself only when the
    /// node will be taken away, and then it stops them. The stops of an operator's drain follow it
    /// directly in the batch; if no job ran on the node in the journal, it is unknown whether the
    /// operator asked for them.
    private static boolean evicts(Event.NodeChanged e, Batch batch) {
        if (e.status().nodeClosure().isAutomatic()) {
            return true;
        }
        int next = batch.facts().indexOf(e) + 1;
        return next < batch.facts().size()
                && batch.facts().get(next) instanceof Event.AttemptStopping stopping
                && stopping.cause().kind() == StopCause.Kind.DRAINED;
    }

    /// Every task on these GPUs of the node is lost; -1 for all tasks on the node.
    private void lose(NodeId id, long gpus) {
        NodeView node = replayBranch.state().nodes().find(id);
        if (node == null || gpus == 0) {
            return;
        }
        var exit = new Exit(Exit.How.LOST, -1, "node " + id + " was lost");
        var there = new ArrayList<JobId>();
        node.jobs().forEach(there::add);
        for (JobId each : there) {
            Job job = replayBranch.job(each);
            Run run = job == null ? null : job.phase().run();
            if (run == null) {
                continue;
            }
            for (Slot slot : run.on().slots()) {
                boolean here = slot.node().equals(id);
                if (here && (gpus == -1 || (slot.grant().mask() & gpus) != 0)) {
                    replayBranch.hear(new Report.TaskEnded(run.id(), slot.rank(), exit));
                }
            }
        }
    }
}

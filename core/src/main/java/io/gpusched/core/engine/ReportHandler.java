package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Answers reports of agents: turns them into events. A stale, repeated or unknown report is
/// accepted and changes nothing.
final class ReportHandler {
    private final ClusterState state;
    private final EngineSettings settings;
    private final Instant now;

    ReportHandler(ClusterState state, EngineSettings settings, Instant now) {
        this.state = state;
        this.settings = settings;
        this.now = now;
    }

    Answer to(Report report) {
        return accepted(
                switch (report) {
                    case Report.Hello r -> hello(r);
                    case Report.TaskPrepared r ->
                            moved(r.attempt(), r.rank(), new TaskState.Prepared());
                    case Report.TaskRunning r ->
                            moved(r.attempt(), r.rank(), new TaskState.Running());
                    case Report.TaskEnded r ->
                            moved(r.attempt(), r.rank(), new TaskState.Ended(r.exit()));
                    case Report.TaskUse r -> used(r);
                    case Report.StartRefused r ->
                            moved(
                                    r.attempt(),
                                    r.rank(),
                                    new TaskState.Ended(
                                            new Exit(Exit.How.REFUSED, -1, r.reason())));
                    case Report.StartWithdrawn r -> withdrawn(r);
                    case Report.NodeDescribed r -> describedAnew(r.node());
                    case Report.NodesGone r -> gone(r);
                    case Report.GpuChanged r -> gpuChanged(r);
                    case Report.ForeignUsage r -> foreign(r);
                    case Report.PoolLoad r -> pools().to(r);
                    case Report.ModelCached r -> new ModelReportHandler(state, now).to(r);
                    case Report.NodeModels r -> new ModelReportHandler(state, now).to(r);
                    case Report.InterruptionNotice r -> interruption(r);
                    case Report.LeaseBound r -> leaseBound(r);
                    case Report.OrdersDelayed r -> List.of(new Event.OrdersDelayed(now, r.by()));
                    case Report.Silent r -> silent(r.agent());
                    case Report.Fenced r -> fenced(r.agent());
                });
    }

    private PoolCommandHandler pools() {
        return new PoolCommandHandler(state, settings, now);
    }

    private static Answer accepted(List<Event> events) {
        return new Answer.Accepted(null, events, List.of());
    }

    private List<Event> moved(AttemptId attempt, int rank, TaskState next) {
        Job job = current(attempt, rank);
        if (job == null) {
            return List.of();
        }
        var jobTransitions = new JobTransitions(state, settings.faults(), now);
        jobTransitions.move(job, rank, next);
        return withoutEmptied(state.nodes().lost(), jobTransitions.events(), jobTransitions);
    }

    private List<Event> withdrawn(Report.StartWithdrawn r) {
        Job job = current(r.attempt(), r.rank());
        if (job == null) {
            return List.of();
        }
        var jobTransitions = new JobTransitions(state, settings.faults(), now);
        jobTransitions.withdraw(job, r.rank(), r.reason(), r.retryAfter());
        return withoutEmptied(state.nodes().lost(), jobTransitions.events(), jobTransitions);
    }

    private List<Event> used(Report.TaskUse r) {
        Job job = current(r.attempt(), r.rank());
        return job == null
                ? List.of()
                : new IdleReportHandler(state, settings.idle(), now).to(r, job);
    }

    /// The job, if this is its present run and has such a task; null for anything stale or unknown.
    private @Nullable Job current(AttemptId attempt, int rank) {
        Job job = state.job(attempt.job());
        Run run = job == null ? null : job.phase().run();
        return run != null && run.id().equals(attempt) && rank >= 0 && rank < run.tasks().size()
                ? job
                : null;
    }

    private List<Event> hello(Report.Hello hello) {
        var events = new ArrayList<Event>();
        AgentId agent = hello.agent().id();
        if (!hello.agent().equals(state.agents().find(agent))) {
            events.add(new Event.AgentJoined(now, hello.agent()));
        }
        Map<String, TaskState> seen = new LinkedHashMap<>();
        hello.running().forEach(s -> seen.put(s.attempt() + "/" + s.rank(), s.state()));
        var jobTransitions = new JobTransitions(state, settings.faults(), now);
        var listed = new LinkedHashSet<NodeId>();
        for (Node node : hello.nodes()) {
            listed.add(node.id());
            NodeView known = state.nodes().find(node.id());
            events.addAll(
                    known == null ? List.of(new Event.NodeJoined(now, node)) : back(node, known));
            if (known != null) {
                settle(known, seen, jobTransitions);
                stopOnMissing(node, known, jobTransitions);
            }
        }
        var missing = new ArrayList<NodeId>();
        for (NodeView node : state.nodes().of(agent)) {
            if (!listed.contains(node.facts().id())) {
                missing.add(node.facts().id());
                lose(node, "its agent no longer has it", events, jobTransitions);
            }
        }
        events.addAll(jobTransitions.events());
        return withoutEmptied(missing, events, jobTransitions);
    }

    private List<Event> gone(Report.NodesGone r) {
        var events = new ArrayList<Event>();
        var jobTransitions = new JobTransitions(state, settings.faults(), now);
        for (NodeId id : r.nodes()) {
            NodeView node = state.nodes().find(id);
            if (node != null && node.facts().agent().equals(r.agent())) {
                lose(node, "it no longer exists", events, jobTransitions);
            }
        }
        events.addAll(jobTransitions.events());
        return withoutEmptied(r.nodes(), events, jobTransitions);
    }

    private List<Event> withoutEmptied(
            List<NodeId> lost, List<Event> events, JobTransitions jobTransitions) {
        if (lost.isEmpty()) {
            return events;
        }
        var all = new ArrayList<>(events);
        all.addAll(new LostNodes(state, now).emptied(lost, jobTransitions));
        return all;
    }

    private List<Event> back(Node node, NodeView known) {
        var events = new ArrayList<>(described(node));
        if (known.status().reach() != NodeStatus.Reach.UP) {
            NodeStatus up = known.status().with(NodeStatus.Reach.UP);
            NodeStatus next = wasTakenAway(known.status()) ? afterNotice(up) : up;
            events.add(new Event.NodeChanged(now, node.id(), next, "its agent is back"));
        }
        return events;
    }

    /// Whether the machine was lost after its provider had announced it, so that this is another
    /// machine or the same one anew: the notice no longer holds.
    private boolean wasTakenAway(NodeStatus status) {
        Instant stopAt = status.nodeClosure().stopAt();
        return status.reach() == NodeStatus.Reach.LOST
                && status.draining()
                && status.nodeClosure().isAutomatic()
                && (stopAt == null || !stopAt.isAfter(now));
    }

    private static NodeStatus afterNotice(NodeStatus up) {
        NodeStatus open = up.reopen();
        return up.cordoned()
                ? open.cordon(NodeClosure.by("operator", "closed before it was taken away"))
                : open;
    }

    /// Updates the ledger to the tasks that the agent really has on the node.
    private void settle(NodeView node, Map<String, TaskState> seen, JobTransitions jobTransitions) {
        for (JobId id : node.jobs()) {
            Job job = state.job(id);
            Run run = job == null ? null : job.phase().run();
            if (run == null) {
                continue;
            }
            for (Slot slot : run.on().slots()) {
                Job draft = jobTransitions.job(id);
                Run present = draft == null ? null : draft.phase().run();
                if (draft != null && present != null && slot.node().equals(node.facts().id())) {
                    settle(draft, present, slot.rank(), seen, jobTransitions);
                }
            }
        }
    }

    private static void settle(
            Job job,
            Run run,
            int rank,
            Map<String, TaskState> seen,
            JobTransitions jobTransitions) {
        TaskState has = seen.get(run.id() + "/" + rank);
        if (has != null) {
            jobTransitions.move(job, rank, has);
        } else if (run.tasks().get(rank) instanceof TaskState.Running) {
            var exit = new Exit(Exit.How.LOST, -1, "its agent no longer has it");
            jobTransitions.move(job, rank, new TaskState.Ended(exit));
        } else if (run.tasks().get(rank) instanceof TaskState.Prepared) {
            jobTransitions.move(job, rank, new TaskState.Assigned());
        }
    }

    /// Restarts runs that hold GPUs which the node no longer has, on other GPUs.
    private void stopOnMissing(Node node, NodeView known, JobTransitions jobTransitions) {
        for (JobId id : known.jobs()) {
            Job draft = jobTransitions.job(id);
            Run run = draft == null ? null : draft.phase().run();
            if (draft != null && run != null && holds(run, node.id(), ~node.allGpus())) {
                jobTransitions.drain(draft, "node " + node.id() + " no longer has all of its GPUs");
            }
        }
    }

    private static boolean holds(Run run, NodeId node, long gpus) {
        for (Slot slot : run.on().slots()) {
            if (slot.node().equals(node) && (slot.grant().mask() & gpus) != 0) {
                return true;
            }
        }
        return false;
    }

    private List<Event> describedAnew(Node node) {
        NodeView known = state.nodes().find(node.id());
        var events = known == null ? described(node) : back(node, known);
        if (known != null) {
            var jobTransitions = new JobTransitions(state, settings.faults(), now);
            stopOnMissing(node, known, jobTransitions);
            events.addAll(jobTransitions.events());
        }
        return events;
    }

    private List<Event> described(Node node) {
        NodeView known = state.nodes().find(node.id());
        return known != null && known.facts().equals(node)
                ? new ArrayList<>()
                : new ArrayList<>(List.of(new Event.NodeJoined(now, node)));
    }

    private List<Event> gpuChanged(Report.GpuChanged r) {
        NodeView node = state.nodes().find(r.node());
        if (node == null || r.gpu() < 0 || r.gpu() >= node.facts().gpus().size()) {
            return List.of();
        }
        GpuCondition next = UnstoppableTasks.keep(node, r.gpu(), r.condition());
        return next.equals(node.condition(r.gpu()))
                ? List.of()
                : List.of(new Event.GpuChanged(now, r.node(), r.gpu(), next));
    }

    private List<Event> foreign(Report.ForeignUsage r) {
        NodeView node = state.nodes().find(r.node());
        return node == null || node.foreign().equals(r.all())
                ? List.of()
                : List.of(new Event.ForeignChanged(now, r.node(), r.all()));
    }

    private List<Event> interruption(Report.InterruptionNotice r) {
        NodeView node = state.nodes().find(r.node());
        Instant gone = now.plus(r.in());
        if (node == null || stopsBefore(gone, node.status())) {
            return List.of();
        }
        var events = new ArrayList<Event>();
        String why = "will be taken away in " + r.in().toSeconds() + " s";
        NodeStatus before = node.status();
        // What an operator drained stays closed if the machine comes back.
        NodeStatus closed = before.draining() ? before.cordon(before.nodeClosure()) : before;
        NodeStatus draining = closed.drain(NodeClosure.automatic(why).stopAt(gone));
        events.add(new Event.NodeChanged(now, r.node(), draining, why));
        events.addAll(
                JobTransitions.evictions(
                        state, node, now, "node " + r.node() + " will be taken away"));
        return events;
    }

    /// Whether the node is drained by that time already. An agent repeats a notice, and computes
    /// the time that is left anew.
    private static boolean stopsBefore(Instant gone, NodeStatus status) {
        Instant stopAt = status.nodeClosure().stopAt();
        boolean soon = stopAt != null && !stopAt.isAfter(gone);
        return status.draining() && (soon || status.nodeClosure().isAutomatic());
    }

    private List<Event> leaseBound(Report.LeaseBound r) {
        return r.lease().equals(state.agents().lease())
                ? List.of()
                : List.of(new Event.LeaseBound(now, r.lease()));
    }

    private List<Event> silent(AgentId agent) {
        var events = new ArrayList<Event>();
        for (NodeView node : state.nodes().of(agent)) {
            if (node.status().reach() == NodeStatus.Reach.UP) {
                NodeStatus status = node.status().with(NodeStatus.Reach.UNREACHABLE);
                events.add(
                        new Event.NodeChanged(
                                now, node.facts().id(), status, "its agent is silent"));
            }
        }
        return events;
    }

    private List<Event> fenced(AgentId id) {
        Agent agent = state.agents().find(id);
        if (agent == null || agent.custody() == Agent.Custody.EXTERNAL) {
            return List.of();
        }
        var events = new ArrayList<Event>();
        var jobTransitions = new JobTransitions(state, settings.faults(), now);
        for (NodeView node : state.nodes().of(id)) {
            lose(node, "its agent was silent for too long", events, jobTransitions);
        }
        events.addAll(jobTransitions.events());
        events.add(new Event.AgentLost(now, id));
        return events;
    }

    private void lose(
            NodeView node, String why, List<Event> events, JobTransitions jobTransitions) {
        new LostNodes(state, now).lose(node, why, events, jobTransitions);
    }
}

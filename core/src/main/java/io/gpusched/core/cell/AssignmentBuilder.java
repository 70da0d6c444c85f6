package io.gpusched.core.cell;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.ModelOrder;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// Builds the assignment of a node from the ledger: the tasks that the node should run.
final class AssignmentBuilder {
    private final ClusterState state;

    AssignmentBuilder(ClusterState state) {
        this.state = state;
    }

    /// Adds the nodes of a run that ends with the event. Must be called before the event is
    /// applied; afterwards the ledger no longer has the nodes of the run.
    void noteEnd(Event event, Set<NodeId> touched) {
        if (event instanceof Event.JobEnded e) {
            noteRun(e.job(), touched);
        } else if (event instanceof Event.JobRequeued e) {
            noteRun(e.job(), touched);
        }
    }

    /// Adds the other nodes whose assignment the event has changed. Must be called after the event
    /// was applied.
    void note(Event event, Set<NodeId> touched) {
        if (event instanceof Event.TaskChanged e) {
            noteTask(e, touched);
        } else if (event instanceof Event.AttemptPlaced e) {
            noteRun(e.attempt().job(), touched);
        } else if (event instanceof Event.AttemptStopping e) {
            noteRun(e.attempt().job(), touched);
        } else if (event instanceof Event.NodeJoined e) {
            touched.add(e.node().id());
        } else if (event instanceof Event.ModelWanted e) {
            touched.add(e.node());
        } else if (event instanceof Event.ModelUnwanted e) {
            touched.add(e.node());
        } else if (event instanceof Event.ModelPut e) {
            touched.addAll(state.models().nodes(e.model().name()).keySet());
        }
    }

    /// A change of one task changes the assignment of its own node. It changes those of the whole
    /// gang only if the gang may start now, or may no longer start.
    private void noteTask(Event.TaskChanged changed, Set<NodeId> touched) {
        Job job = state.job(changed.attempt().job());
        Run run = job == null ? null : job.phase().run();
        if (run == null || changed.rank() >= run.on().slots().size()) {
            return;
        }
        touched.add(run.on().slots().get(changed.rank()).node());
        boolean back = changed.state() instanceof TaskState.Assigned;
        if (run.gang()
                && (run.mayGo() || begun(run) || back)
                && !(changed.state() instanceof TaskState.Running)) {
            run.on().slots().forEach(slot -> touched.add(slot.node()));
        }
    }

    private void noteRun(JobId id, Set<NodeId> touched) {
        Job job = state.job(id);
        Run run = job == null ? null : job.phase().run();
        if (run != null) {
            run.on().slots().forEach(slot -> touched.add(slot.node()));
        }
    }

    List<Assignment> assignments(Collection<NodeId> nodes, long revision) {
        var assignments = new ArrayList<Assignment>(nodes.size());
        for (NodeId id : nodes) {
            NodeView node = state.nodes().find(id);
            if (node != null) {
                assignments.add(assignment(node, revision));
            }
        }
        return assignments;
    }

    Assignment assignment(NodeView node, long revision) {
        var tasks = new ArrayList<Task>();
        for (JobId id : node.jobs()) {
            Job job = state.job(id);
            Run run = job == null ? null : job.phase().run();
            if (job == null || run == null) {
                continue;
            }
            for (Slot slot : run.on().slots()) {
                if (slot.node().equals(node.facts().id())
                        && !run.tasks().get(slot.rank()).ended()) {
                    tasks.add(
                            new Task(
                                    run.id(),
                                    slot.rank(),
                                    job.spec(),
                                    slot,
                                    run.on(),
                                    order(job, run, node)));
                }
            }
        }
        NodeId id = node.facts().id();
        return new Assignment(id, state.term(), revision, tasks, models(id));
    }

    private List<ModelOrder> models(NodeId node) {
        var orders = new ArrayList<ModelOrder>();
        for (CachedModel each : state.models().on(node)) {
            ModelSpec spec = state.models().find(each.model());
            boolean remove = each.state() == CacheState.EVICTING;
            if (remove || (each.wanted() && spec != null)) {
                String uri = spec == null ? "" : spec.uri();
                long bytes = spec == null ? 0 : spec.sizeBytes();
                orders.add(new ModelOrder(each.model(), uri, bytes, remove));
            }
        }
        return orders;
    }

    /// A task on a node that will be taken away has no longer to stop than the node is there.
    private static Task.Order order(Job job, Run run, NodeView node) {
        if (job.phase() instanceof Phase.Stopping stopping) {
            NodeClosure closure = node.status().nodeClosure();
            Instant grace = stopping.since().plus(job.spec().onLoss().grace());
            Instant gone = closure.isAutomatic() ? closure.stopAt() : null;
            return new Task.Order.Stop(
                    stopping.cause(), gone != null && gone.isBefore(grace) ? gone : grace);
        }
        return run.gang() && !run.mayGo() && !begun(run) ? Task.Order.PREPARE : Task.Order.RUN;
    }

    /// Whether some task of the gang was already told to run; then no task is held back any more.
    private static boolean begun(Run run) {
        for (TaskState task : run.tasks()) {
            if (task instanceof TaskState.Running || task.ended()) {
                return true;
            }
        }
        return false;
    }
}

package io.gpusched.core.state;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.queue.KeyHeap;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/// Deadlines of runs that are starting or stopping. An alarm is only a hint: the engine decides by
/// the ledger's state at that time, so a superfluous alarm does no harm.
public final class Deadlines {
    /// How long a job may take until all of its tasks run, counted from when orders can reach its
    /// agents. An agent may ask for another time, see [Agent#startTimeout].
    public static final Duration START = Duration.ofMinutes(5);

    /// How long after its grace period a task may take to end.
    public static final Duration STOP_MARGIN = Duration.ofSeconds(60);

    private final JobTable jobs;
    private final Nodes nodes;
    private final AgentLedger agents;
    private final KeyHeap due = new KeyHeap();

    Deadlines(JobTable jobs, Nodes nodes, AgentLedger agents) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.agents = agents;
    }

    /// The deadline of the job's present phase; null when it has none.
    public @Nullable Instant deadline(Job job) {
        return switch (job.phase()) {
            case Phase.Starting starting -> starting.countedFrom().plus(toStart(starting.run()));
            case Phase.Stopping stopping ->
                    stopping.since().plus(job.spec().onLoss().grace()).plus(STOP_MARGIN);
            case Phase.Held held -> null;
            case Phase.Waiting waiting -> null;
            case Phase.Running running -> null;
            case Phase.Ended ended -> null;
        };
    }

    /// The time that the agent of the first task gives its starts.
    private Duration toStart(Run run) {
        NodeView node = nodes.find(run.on().slots().getFirst().node());
        Agent agent = node == null ? null : agents.find(node.facts().agent());
        return agent == null || agent.startTimeout().isZero() ? START : agent.startTimeout();
    }

    /// @param now alarms that passed before this time and no longer apply are removed, so that a
    ///        follower, which never reads them, does not accumulate them
    void set(Job job, Instant now) {
        Instant deadline = deadline(job);
        if (deadline != null) {
            forgetStale(now);
            due.add(Instants.micros(deadline), job.id().number());
        }
    }

    private void forgetStale(Instant now) {
        while (!due.isEmpty() && due.firstKey() < Instants.micros(now)) {
            Job job = jobs.job(due.firstNumber());
            Instant deadline = job == null ? null : deadline(job);
            if (deadline != null && !deadline.isAfter(now)) {
                return;
            }
            due.removeFirst();
        }
    }

    /// The next job whose deadline has passed; null when there is none. Each alarm is returned
    /// once. A job that starts on an unreachable node has no deadline, because its progress is
    /// unknown. It gets another one when the node is back.
    public @Nullable Job ring(Instant now) {
        while (!due.isEmpty() && due.firstKey() <= Instants.micros(now)) {
            Job job = jobs.job(due.firstNumber());
            due.removeFirst();
            Instant deadline = job == null ? null : deadline(job);
            if (job != null
                    && deadline != null
                    && !deadline.isAfter(now)
                    && (job.phase() instanceof Phase.Stopping || isReachable(job))) {
                return job;
            }
        }
        return null;
    }

    private boolean isReachable(Job job) {
        Run run = Objects.requireNonNull(job.phase().run());
        for (Slot slot : run.on().slots()) {
            NodeView node = nodes.find(slot.node());
            if (node != null && node.status().reach() == NodeStatus.Reach.UNREACHABLE) {
                return false;
            }
        }
        return true;
    }

    @Nullable Instant next() {
        return due.isEmpty() ? null : Instants.ofMicros(due.firstKey());
    }
}

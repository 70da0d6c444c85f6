package io.gpusched.core.state;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Nodes;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Tasks that agents have been told to start and have not taken up yet. An agent may say how many
/// of them it wants to have at a time ([Agent#inFlight]).
///
///     in flight 2:  job-1 assigned, job-2 assigned, job-3 waits
///                   job-1 prepared  →  job-3 is assigned
///
/// A start is open until its agent reports anything about the task: prepared, running or ended. It
/// follows from the tasks' states alone, so a replay and an image lead to the same counts.
public final class OpenStarts {
    /// The agent stays the one that was told first, should another one take over the node.
    private static final class OnNode {
        final AgentId agent;
        int tasks;

        OnNode(AgentId agent) {
            this.agent = agent;
        }
    }

    private final Nodes nodes;
    private final AgentLedger agents;
    private final Map<NodeId, OnNode> byNode = new LinkedHashMap<>();
    private final Map<AgentId, Integer> byAgent = new LinkedHashMap<>();

    OpenStarts(Nodes nodes, AgentLedger agents) {
        this.nodes = nodes;
        this.agents = agents;
    }

    /// The job starts, or an image has it as starting.
    void begin(Job job) {
        count(job, 1);
    }

    /// The job no longer starts: it runs, stops or is over.
    void end(Job job) {
        count(job, -1);
    }

    private void count(Job job, int sign) {
        if (job.phase() instanceof Phase.Starting starting) {
            Run run = starting.run();
            for (Slot slot : run.on().slots()) {
                if (run.tasks().get(slot.rank()) instanceof TaskState.Assigned) {
                    change(slot.node(), sign);
                }
            }
        }
    }

    /// A task of the job changes its state.
    void changed(Job before, int rank, TaskState after) {
        if (before.phase() instanceof Phase.Starting starting) {
            boolean was = starting.run().tasks().get(rank) instanceof TaskState.Assigned;
            boolean is = after instanceof TaskState.Assigned;
            if (was != is) {
                change(starting.run().on().slots().get(rank).node(), is ? 1 : -1);
            }
        }
    }

    private void change(NodeId node, int by) {
        OnNode here = byNode.get(node);
        if (here == null) {
            NodeView known = Objects.requireNonNull(nodes.find(node));
            here = new OnNode(known.facts().agent());
            byNode.put(node, here);
        }
        here.tasks += by;
        byAgent.merge(here.agent, by, (sum, more) -> sum + more == 0 ? null : sum + more);
        if (here.tasks == 0) {
            byNode.remove(node);
        }
    }

    /// How many starts of the agent are open.
    public int of(AgentId agent) {
        return byAgent.getOrDefault(agent, 0);
    }

    /// The first agent, if every agent has as many open starts as it wants; null otherwise.
    public @Nullable Agent allFull() {
        Agent first = null;
        for (Agent agent : agents.every()) {
            if (agent.inFlight() == 0 || of(agent.id()) < agent.inFlight()) {
                return null;
            }
            first = first == null ? agent : first;
        }
        return first;
    }

    /// An agent that would have more open starts than it wants if the placement started now; null
    /// if there is none. An agent without open starts takes a gang of any size.
    public @Nullable Agent exceeded(Placement placement) {
        Map<AgentId, Integer> more = new LinkedHashMap<>();
        for (Slot slot : placement.slots()) {
            NodeView node = nodes.find(slot.node());
            Agent agent = node == null ? null : agents.find(node.facts().agent());
            if (agent != null && agent.inFlight() > 0) {
                int open = of(agent.id());
                int sum = open + more.merge(agent.id(), 1, Integer::sum);
                if (open > 0 && sum > agent.inFlight()) {
                    return agent;
                }
            }
        }
        return null;
    }
}

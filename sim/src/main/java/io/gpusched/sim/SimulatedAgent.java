package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.ModelOrder;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An agent that behaves like the real one, in simulated time. It converges to the newest
/// assignment of each of its nodes, reports the state of its tasks, sends a hello after every
/// interruption, and stops its tasks when it has been disconnected for the length of its lease.
///
/// A lost message means a broken connection: nothing passes in either direction until the agent
/// sends the next hello, which reports everything that was missed.
final class SimulatedAgent {
    private record Condition(NodeId node, int gpu) {}

    private final Agent agent;
    private final List<Node> nodes;
    private final List<Node> present;
    private final Map<NodeId, List<ForeignTask>> foreign = new LinkedHashMap<>();
    private final SimContext around;
    private final SimulatedMachine simulatedMachine;
    private final Map<NodeId, Assignment> newest = new HashMap<>();
    private final Map<Condition, GpuCondition> conditions = new LinkedHashMap<>();
    private final Map<NodeId, SimulatedModelCache> caches = new LinkedHashMap<>();
    private boolean connected;
    /// Counts outages, so that the planned end of one outage does not end another.
    private int outage;
    private int wayBack;

    SimulatedAgent(AgentId id, List<Node> nodes, SimContext around) {
        this.agent = new Agent(id, Agent.Custody.SELF_FENCING, 0);
        this.nodes = List.copyOf(nodes);
        this.present = new ArrayList<>(nodes);
        this.around = around;
        for (Node node : nodes) {
            if (SimulatedModelCache.isOn(node)) {
                caches.put(node.id(), new SimulatedModelCache(node.id()));
            }
        }
        this.simulatedMachine = new SimulatedMachine(id, around, this::tell);
    }

    SimulatedMachine simulatedMachine() {
        return simulatedMachine;
    }

    /// Sends a hello with the identity and tasks of the agent. A hello is never lost or duplicated:
    /// it opens the connection.
    void greet(Instant now) {
        connected = true;
        send(new Report.Hello(agent, present, simulatedMachine.seen()), now);
        foreign.forEach((node, all) -> send(new Report.ForeignUsage(node, all), now));
        caches.values().forEach(cache -> send(cache.report(), now));
        conditions.forEach(
                (at, condition) -> send(new Report.GpuChanged(at.node, at.gpu, condition), now));
    }

    /// A message was lost, and the connection with it.
    void drop(Instant now) {
        if (connected) {
            disconnect(around.clusterDelays().reconnect(), now);
        }
    }

    /// The connection breaks now and is restored after `back`, or never if `back` is null. The last
    /// call counts.
    void disconnect(@Nullable Duration back, Instant now) {
        AgentId id = agent.id();
        if (connected) {
            connected = false;
            outage++;
            plan(now.plus(around.clusterDelays().lease()), new SimEvent.LeaseEnds(id, outage));
            plan(now.plus(around.clusterDelays().silent()), new SimEvent.Missed(id, outage, false));
            plan(now.plus(around.clusterDelays().fenced()), new SimEvent.Missed(id, outage, true));
        }
        wayBack++;
        if (back != null) {
            plan(now.plus(back), new SimEvent.Reconnects(id, wayBack));
        }
    }

    /// Sends a hello if this is still the planned reconnection.
    void reconnect(int number, Instant now) {
        if (!connected && wayBack == number) {
            greet(now);
        }
    }

    /// Whether the outage with this number still lasts.
    boolean isOut(int number) {
        return !connected && outage == number;
    }

    /// The machine goes down: its tasks end and the agent loses its state.
    void crash(Instant now) {
        simulatedMachine.loseEverything(now);
        newest.clear();
        caches.values().forEach(SimulatedModelCache::restart);
    }

    /// The agent's process restarts and finds its tasks alive.
    void restart(Instant now) {
        newest.clear();
        caches.values().forEach(SimulatedModelCache::restart);
        disconnect(around.clusterDelays().reconnect(), now);
    }

    /// An assignment arrives, perhaps late, perhaps again.
    void receive(Assignment assignment, Instant now) {
        if (!connected || isStale(assignment)) {
            return;
        }
        newest.put(assignment.node(), assignment);
        simulatedMachine.converge(assignment, now);
        SimulatedModelCache cache = caches.get(assignment.node());
        if (cache != null) {
            var before = cache.report();
            cache.follow(assignment.models());
            load(cache, assignment.node(), now);
            boolean asks = assignment.models().stream().anyMatch(ModelOrder::remove);
            if (asks || !cache.report().equals(before)) {
                tell(cache.report(), now);
            }
        }
    }

    private void load(SimulatedModelCache cache, NodeId node, Instant now) {
        Duration takes = cache.begin();
        if (takes != null) {
            plan(now.plus(takes), new SimEvent.ModelLoaded(agent.id(), node, cache.number()));
        }
    }

    /// A loading has ended, if it was not given up before.
    void loaded(NodeId node, int number, Instant now) {
        SimulatedModelCache cache = caches.get(node);
        if (cache != null && cache.loaded(number)) {
            load(cache, node, now);
            tell(cache.report(), now);
        }
    }

    private boolean isStale(Assignment assignment) {
        Assignment last = newest.get(assignment.node());
        if (last == null || assignment.term() > last.term()) {
            return false;
        }
        return assignment.term() < last.term() || assignment.revision() < last.revision();
    }

    /// GPUs become hot, fail, or recover.
    void measure(NodeId node, long gpus, GpuCondition condition, Instant now) {
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            conditions.put(new Condition(node, gpu), condition);
            tell(new Report.GpuChanged(node, gpu, condition), now);
        }
    }

    /// The node loses its last GPUs, or has all of them again.
    void keepGpus(NodeId id, int most, Instant now) {
        for (int i = 0; i < nodes.size(); i++) {
            Node whole = nodes.get(i);
            if (whole.id().equals(id)) {
                List<Gpu> left = whole.gpus().subList(0, Math.min(most, whole.gpus().size()));
                present.set(i, withGpus(whole, left));
                simulatedMachine.keepGpus(present.get(i), now);
                tell(new Report.NodeDescribed(present.get(i)), now);
                tellConditions(now);
            }
        }
    }

    private void tellConditions(Instant now) {
        conditions.forEach(
                (at, condition) -> tell(new Report.GpuChanged(at.node, at.gpu, condition), now));
    }

    private static Node withGpus(Node node, List<Gpu> gpus) {
        return new Node(
                node.id(),
                node.agent(),
                node.address(),
                gpus,
                node.topology(),
                node.host(),
                node.taints(),
                node.labels());
    }

    /// A process outside the scheduler uses these GPUs of the node; none if the list is empty.
    void foreign(NodeId node, long gpus, Instant now) {
        var slot = new Slot(node, 0, 0, new Grant.Whole(gpus), Resources.NONE);
        foreign.put(node, gpus == 0 ? List.of() : List.of(new ForeignTask("somebody", slot)));
        tell(new Report.ForeignUsage(node, foreign.getOrDefault(node, List.of())), now);
    }

    private void tell(Report report, Instant now) {
        if (!connected) {
            return;
        }
        if (around.network().loses()) {
            drop(now);
            return;
        }
        send(report, now);
        if (around.network().duplicates()) {
            send(report, now.plus(around.network().copyDelay()));
        }
    }

    private void send(Report report, Instant at) {
        plan(at.plus(around.clusterDelays().network()), new SimEvent.Tells(report));
    }

    private void plan(Instant at, SimEvent what) {
        around.events().plan(at, what);
    }
}

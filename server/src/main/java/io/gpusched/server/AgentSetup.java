package io.gpusched.server;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Node;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.agents.AgentTimes;
import io.gpusched.server.agents.HeatQuantizer;
import io.gpusched.server.auth.Access;
import io.gpusched.server.config.AgentSection;

import java.time.Duration;
import java.util.ArrayList;

/// Makes the [AgentServices] of a server from its configuration and its recovered state.
final class AgentSetup {
    private AgentSetup() {}

    static AgentServices services(ServerContext context, Stores stores, Access access, long term) {
        var heat = new HeatQuantizer(context.config().scheduler().thermalThreshold());
        return new AgentServices(
                AgentServices.Setup.open(term)
                        .with(times(context.config().agent()))
                        .with(context.clock())
                        .with(heat)
                        .with(access::mayJoin)
                        .withProof(stores.journal::oursAt)
                        .withLeaseBefore(leaseBefore(stores.engines.engine().state())),
                context.gateway()::report,
                context.liveness()::died);
    }

    private static AgentTimes times(AgentSection agent) {
        Duration silent = agent.heartbeat().multipliedBy(4);
        return new AgentTimes(
                agent.lease().compareTo(silent) < 0 ? silent : agent.lease(),
                agent.heartbeat(),
                agent.metrics(),
                silent,
                AgentTimes.DEFAULT.margin());
    }

    /// The longest lease that an agent in the recovered state may still hold. Old releases did not
    /// record it; they granted the default lease.
    static Duration leaseBefore(ClusterState state) {
        boolean isUnknown = state.agents().lease().isZero() && !state.agents().all().isEmpty();
        return isUnknown ? AgentTimes.DEFAULT.lease() : state.agents().lease();
    }

    /// Registers the agents of the recovered state: their silence counts from now, and their GPUs
    /// keep the heat that was recorded last.
    static void expectKnownAgents(ClusterState state, AgentServices services) {
        for (Agent agent : state.agents().all()) {
            var nodes = new ArrayList<Node>();
            for (NodeView node : state.nodes().of(agent.id())) {
                nodes.add(node.facts());
                for (Gpu gpu : node.facts().gpus()) {
                    services.telemetry()
                            .resume(node.facts().id(), gpu.index(), node.condition(gpu.index()));
                }
            }
            services.expect(agent, nodes);
        }
    }
}

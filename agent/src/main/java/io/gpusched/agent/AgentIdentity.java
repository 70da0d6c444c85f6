package io.gpusched.agent;

import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The identity of an agent and the nodes it serves.
///
/// @param instance random id, kept with the agent's tasks; distinguishes two agents of one name
/// @param cluster where the nodes are those of a cluster, which change; null for fixed nodes
/// @param inFlight how many starts the agent wants to have open at a time; 0 for any number
public record AgentIdentity(
        String agentId,
        String instance,
        Custody custody,
        List<ServedNode> nodes,
        @Nullable NodeSource cluster,
        int inFlight) {
    public AgentIdentity {
        nodes = List.copyOf(nodes);
    }

    /// An agent with fixed nodes.
    public AgentIdentity(String agentId, String instance, Custody custody, List<ServedNode> nodes) {
        this(agentId, instance, custody, nodes, null, 0);
    }

    /// An agent that speaks for a cluster, which keeps tasks running by itself.
    ///
    /// @param instance the same for all agents that may speak for the cluster, one after another
    public static AgentIdentity ofCluster(
            String agentId, String instance, NodeSource cluster, int inFlight) {
        return new AgentIdentity(agentId, instance, Custody.EXTERNAL, List.of(), cluster, inFlight);
    }

    RegisterAgentRequest request() {
        RegisterAgentRequest.Builder request =
                RegisterAgentRequest.newBuilder()
                        .setAgentId(agentId)
                        .setInstance(instance)
                        .setCustody(custody)
                        .setInFlight(inFlight)
                        .setVersion(version());
        for (ServedNode node : nodes) {
            request.addNodes(
                    NodeFacts.newBuilder(node.facts()).clearGpus().addAllGpus(node.probe().gpus()));
        }
        if (cluster != null) {
            request.addAllNodes(cluster.registered());
            request.setNodesFollow(request.getNodesCount() == 0);
        }
        return request.build();
    }

    private static String version() {
        String version = AgentIdentity.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}

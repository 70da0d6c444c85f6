package io.gpusched.agent;

import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import java.time.Duration;
import java.util.List;

/// The identity of an agent and the nodes it serves.
///
/// An agent of a cluster has no fixed nodes: its host tells them after each Hello, see
/// [io.gpusched.agent.task.TaskHost#opened].
///
/// @param instance random id, kept with the agent's tasks; distinguishes two agents of one name
/// @param inFlight how many starts it takes at a time; zero for any number
/// @param startTimeout how long its tasks may take to start; zero for the usual time
public record AgentIdentity(
        String agentId,
        String instance,
        Custody custody,
        List<ServedNode> nodes,
        int inFlight,
        Duration startTimeout) {
    public AgentIdentity {
        nodes = List.copyOf(nodes);
    }

    /// An agent with these nodes, which takes any number of starts.
    public AgentIdentity(String agentId, String instance, Custody custody, List<ServedNode> nodes) {
        this(agentId, instance, custody, nodes, 0, Duration.ZERO);
    }

    /// An agent of a cluster that keeps its tasks running by itself.
    public static AgentIdentity ofCluster(
            String agentId, String instance, int inFlight, Duration startTimeout) {
        return new AgentIdentity(
                agentId, instance, Custody.EXTERNAL, List.of(), inFlight, startTimeout);
    }

    RegisterAgentRequest request() {
        RegisterAgentRequest.Builder request =
                RegisterAgentRequest.newBuilder()
                        .setAgentId(agentId)
                        .setInstance(instance)
                        .setCustody(custody)
                        .setInFlight(inFlight)
                        .setStartTimeoutMillis(startTimeout.toMillis())
                        .setNodesFollow(nodes.isEmpty())
                        .setVersion(version());
        for (ServedNode node : nodes) {
            request.addNodes(
                    NodeFacts.newBuilder(node.facts()).clearGpus().addAllGpus(node.probe().gpus()));
        }
        return request.build();
    }

    private static String version() {
        String version = AgentIdentity.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}

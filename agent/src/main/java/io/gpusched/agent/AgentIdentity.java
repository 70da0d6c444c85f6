package io.gpusched.agent;

import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

<<<<<<< HEAD
import org.jspecify.annotations.Nullable;

=======
import java.time.Duration;
>>>>>>> h-operator
import java.util.List;

/// The identity of an agent and the nodes it serves.
///
/// An agent of a cluster has no fixed nodes: its host tells them after each Hello, see
/// [io.gpusched.agent.task.TaskHost#opened].
///
/// @param instance random id, kept with the agent's tasks; distinguishes two agents of one name
<<<<<<< HEAD
/// @param cluster where the nodes are those of a cluster, which change; null for fixed nodes
/// @param inFlight how many starts the agent wants to have open at a time; 0 for any number
=======
/// @param inFlight how many starts it takes at a time; zero for any number
/// @param startTimeout how long its tasks may take to start; zero for the usual time
>>>>>>> h-operator
public record AgentIdentity(
        String agentId,
        String instance,
        Custody custody,
        List<ServedNode> nodes,
<<<<<<< HEAD
        @Nullable NodeSource cluster,
        int inFlight) {
=======
        int inFlight,
        Duration startTimeout) {
>>>>>>> h-operator
    public AgentIdentity {
        nodes = List.copyOf(nodes);
    }

<<<<<<< HEAD
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
=======
    /// An agent with these nodes, which takes any number of starts.
    public AgentIdentity(String agentId, String instance, Custody custody, List<ServedNode> nodes) {
        this(agentId, instance, custody, nodes, 0, Duration.ZERO);
    }

    /// An agent of a cluster that keeps its tasks running by itself.
    public static AgentIdentity ofCluster(
            String agentId, String instance, int inFlight, Duration startTimeout) {
        return new AgentIdentity(
                agentId, instance, Custody.EXTERNAL, List.of(), inFlight, startTimeout);
>>>>>>> h-operator
    }

    RegisterAgentRequest request() {
        RegisterAgentRequest.Builder request =
                RegisterAgentRequest.newBuilder()
                        .setAgentId(agentId)
                        .setInstance(instance)
                        .setCustody(custody)
                        .setInFlight(inFlight)
<<<<<<< HEAD
=======
                        .setStartTimeoutMillis(startTimeout.toMillis())
                        .setNodesFollow(nodes.isEmpty())
>>>>>>> h-operator
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

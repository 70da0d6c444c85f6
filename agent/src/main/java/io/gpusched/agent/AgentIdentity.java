package io.gpusched.agent;

import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import java.util.List;

/// The identity of an agent and the nodes it serves.
///
/// @param instance random id, kept with the agent's tasks; distinguishes two agents of one name
public record AgentIdentity(
        String agentId, String instance, Custody custody, List<ServedNode> nodes) {
    public AgentIdentity {
        nodes = List.copyOf(nodes);
    }

    RegisterAgentRequest request() {
        RegisterAgentRequest.Builder request =
                RegisterAgentRequest.newBuilder()
                        .setAgentId(agentId)
                        .setInstance(instance)
                        .setCustody(custody)
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

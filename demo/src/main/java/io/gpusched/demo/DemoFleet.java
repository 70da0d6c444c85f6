package io.gpusched.demo;

import io.gpusched.agent.AgentIdentity;
import io.gpusched.agent.ConnectionSettings;
import io.gpusched.agent.NodeAgent;
import io.gpusched.agent.ServedNode;
import io.gpusched.agent.TermFile;
import io.gpusched.agent.task.Lease;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.wire.agent.LinkCodec;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.grpc.ManagedChannel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Eight machines with eight GPUs each, of five models, behind one agent.
final class DemoFleet implements AutoCloseable {
    private record Kind(String gpus, String zone, int cores, long memoryMiB) {}

    private static final List<Kind> KINDS =
            List.of(
                    new Kind("8xH100-80GB", "a", 128, 2_000_000),
                    new Kind("8xH100-80GB", "b", 128, 2_000_000),
                    new Kind("8xA100-80GB", "a", 96, 1_000_000),
                    new Kind("8xA100-80GB", "b", 96, 1_000_000),
                    new Kind("8xA100-40GB", "a", 96, 1_000_000),
                    new Kind("8xL40S", "b", 64, 512_000),
                    new Kind("8xV100-32GB", "a", 64, 512_000),
                    new Kind("8xT4", "b", 48, 256_000));

    private final NodeAgent nodeAgent;

    /// @param token authenticates the agent when it connects; empty if not needed
    DemoFleet(ManagedChannel channel, String token) {
        var machines = new LinkedHashMap<String, DemoMachine>();
        var nodes = new ArrayList<ServedNode>();
        for (Kind kind : KINDS) {
            String name = "node-" + (nodes.size() + 1);
            var demoMachine = new DemoMachine(kind.gpus());
            machines.put(name, demoMachine);
            NodeFacts facts = facts(name, kind, demoMachine);
            demoMachine.wiredAs(facts.getGpusList());
            nodes.add(new ServedNode(facts, demoMachine));
        }
        this.nodeAgent =
                new NodeAgent(
                        new AgentIdentity(
                                "demo-fleet",
                                "in-the-scheduler", // It dies with it, and comes back with it.
                                Custody.SELF_FENCING,
                                nodes),
                        new ConnectionSettings(channel, () -> token),
                        new FakeTaskHost(machines),
                        Lease.unlimited(),
                        TermFile.inMemory());
    }

    void start() {
        nodeAgent.start();
    }

    @Override
    public void close() {
        nodeAgent.close();
    }

    private static NodeFacts facts(String name, Kind kind, DemoMachine demoMachine) {
        NodeFacts.Builder facts =
                NodeFacts.newBuilder()
                        .setNodeId(name)
                        .setHostname(name + ".demo")
                        .setIpAddress("127.0.0.1")
                        .setCpuCores(kind.cores())
                        .setMemoryMb(kind.memoryMiB())
                        .putLabels("zone", kind.zone())
                        .putLabels("demo", "true")
                        .addAllGpus(demoMachine.gpus());
        LinkCodec.write(KnownTopologies.usual(demoMachine.models()), facts);
        return facts.build();
    }
}

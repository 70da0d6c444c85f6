package io.gpusched.demo;

import io.gpusched.agent.Agent;
import io.gpusched.agent.Connection;
import io.gpusched.agent.Introduction;
import io.gpusched.agent.ServedNode;
import io.gpusched.agent.Terms;
import io.gpusched.agent.task.Lease;
import io.gpusched.core.model.Machines;
import io.gpusched.wire.agent.LinkCodec;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.grpc.ManagedChannel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Eight machines with eight GPUs each, of five models, behind one agent.
final class Fleet implements AutoCloseable {
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

    private final Agent agent;

    /// @param token asked for whenever the agent introduces itself; empty where none is needed
    Fleet(ManagedChannel channel, String token) {
        var machines = new LinkedHashMap<String, Machine>();
        var nodes = new ArrayList<ServedNode>();
        for (Kind kind : KINDS) {
            String name = "node-" + (nodes.size() + 1);
            var machine = new Machine(kind.gpus());
            machines.put(name, machine);
            NodeFacts facts = facts(name, kind, machine);
            machine.wiredAs(facts.getGpusList());
            nodes.add(new ServedNode(facts, machine));
        }
        this.agent =
                new Agent(
                        new Introduction(
                                "demo-fleet",
                                "in-the-scheduler", // It dies with it, and comes back with it.
                                Custody.SELF_FENCING,
                                nodes),
                        new Connection(channel, () -> token),
                        new PretendHost(machines),
                        Lease.unlimited(),
                        Terms.inMemory());
    }

    void start() {
        agent.start();
    }

    @Override
    public void close() {
        agent.close();
    }

    private static NodeFacts facts(String name, Kind kind, Machine machine) {
        NodeFacts.Builder facts =
                NodeFacts.newBuilder()
                        .setNodeId(name)
                        .setHostname(name + ".demo")
                        .setIpAddress("127.0.0.1")
                        .setCpuCores(kind.cores())
                        .setMemoryMb(kind.memoryMiB())
                        .putLabels("zone", kind.zone())
                        .putLabels("demo", "true")
                        .addAllGpus(machine.gpus());
        LinkCodec.write(Machines.usual(machine.models()), facts);
        return facts.build();
    }
}

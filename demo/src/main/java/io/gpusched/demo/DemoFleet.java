package io.gpusched.demo;

import io.gpusched.agent.AgentIdentity;
import io.gpusched.agent.ConnectionSettings;
import io.gpusched.agent.NodeAgent;
import io.gpusched.agent.ServedNode;
import io.gpusched.agent.TermFile;
import io.gpusched.agent.task.Lease;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Topology;
import io.gpusched.wire.agent.LinkCodec;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.grpc.ManagedChannel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Eight machines with eight GPUs each, of five models, in two zones of two racks, behind one
/// agent. One machine has two NVLink islands, and one slices its GPUs on request.
final class DemoFleet implements AutoCloseable {
    /// @param islands whether two groups of four GPUs are joined by NVLink, instead of the usual
    ///        topology of its model
    /// @param mig whether its GPUs are sliced on request
    private record Kind(
            String gpus, String rack, int cores, long memoryMiB, boolean islands, boolean mig) {
        Kind(String gpus, String rack, int cores, long memoryMiB) {
            this(gpus, rack, cores, memoryMiB, false, false);
        }

        String zone() {
            return rack.substring(0, 1);
        }
    }

    private static final int ISLAND = 4;

    private static final List<Kind> KINDS =
            List.of(
                    new Kind("8xH100-80GB", "a1", 128, 2_000_000),
                    new Kind("8xH100-80GB", "b1", 128, 2_000_000),
                    new Kind("8xA100-80GB", "a1", 96, 1_000_000),
                    new Kind("8xA100-80GB", "b1", 96, 1_000_000, true, false),
                    new Kind("8xA100-40GB", "a2", 96, 1_000_000, false, true),
                    new Kind("8xL40S", "b2", 64, 512_000),
                    new Kind("8xV100-32GB", "a2", 64, 512_000),
                    new Kind("8xT4", "b2", 48, 256_000));

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
                        .putLabels("rack", kind.rack())
                        .putLabels("demo", "true")
                        .addAllGpus(demoMachine.gpus());
        if (kind.mig()) {
            facts.putLabels(MigConfig.LABEL, "mixed");
        }
        LinkCodec.write(
                kind.islands() ? islands() : KnownTopologies.usual(demoMachine.models()), facts);
        return facts.build();
    }

    /// Eight GPUs at two sockets: the four of a socket share a switch and four NVLinks per pair.
    private static Topology islands() {
        var sockets = new ArrayList<Integer>();
        var nvlinks = new ArrayList<List<Integer>>();
        var links = new ArrayList<List<Link>>();
        for (int a = 0; a < 2 * ISLAND; a++) {
            var counts = new ArrayList<Integer>();
            var paths = new ArrayList<Link>();
            for (int b = 0; b < 2 * ISLAND; b++) {
                boolean together = a / ISLAND == b / ISLAND;
                counts.add(together && a != b ? ISLAND : 0);
                paths.add(together ? Link.PIX : Link.SYS);
            }
            sockets.add(a / ISLAND);
            nvlinks.add(counts);
            links.add(paths);
        }
        return Topology.of(sockets, nvlinks, links);
    }
}

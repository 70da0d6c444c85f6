package io.gpusched.wire.agent;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;
import io.gpusched.wire.proto.agent.ForeignTask;
import io.gpusched.wire.proto.agent.ForeignUse;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.SliceCount;

import java.util.ArrayList;
import java.util.List;

/// Reads what changed on the nodes of an agent. Values that the cluster state cannot hold are
/// refused with a message that says what was expected.
public final class NodeChangeCodec {
    private static final int MOST_TASKS = 4_096;
    private static final int MOST_SLICES = 64;
    private static final int MOST_DEVICES = 1 << 16;
    private static final int LONGEST_ID = 500;
    private static final long MOST = 1L << 40;

    private NodeChangeCodec() {}

    /// @throws IllegalArgumentException with a message for the operator of the agent
    public static List<Node> described(AgentId agent, NodesChanged told) {
        return told.getDescribedList().stream()
                .map(facts -> HelloReader.node(agent, facts))
                .toList();
    }

    public static List<NodeId> gone(NodesChanged told) {
        return told.getGoneList().stream().map(NodeId::new).toList();
    }

    /// @throws IllegalArgumentException with a message for the operator of the agent
    public static Report.ForeignUsage foreign(ForeignUse told) {
        if (told.getTasksCount() > MOST_TASKS) {
            throw invalid(
                    "at most " + MOST_TASKS + " foreign tasks on a node",
                    told.getTasksCount() + " on " + told.getNodeId());
        }
        var node = new NodeId(told.getNodeId());
        var tasks = new ArrayList<io.gpusched.core.model.ForeignTask>();
        for (ForeignTask each : told.getTasksList()) {
            tasks.add(task(node, each));
        }
        return new Report.ForeignUsage(node, tasks);
    }

    private static io.gpusched.core.model.ForeignTask task(NodeId node, ForeignTask each) {
        String id = each.getId();
        if (id.length() > LONGEST_ID || each.getSlicesCount() > MOST_SLICES) {
            throw invalid(
                    "an id of at most 500 characters and at most 64 kinds of slices",
                    id.length() + " and " + each.getSlicesCount() + " on " + node);
        }
        if (each.getGpus() < 0 || each.getGpus() > MOST_DEVICES) {
            throw invalid("a sensible number of GPUs", each.getGpus() + " on " + node);
        }
        var host =
                new Resources(
                        amount(node, "thousandths of a core", each.getMilliCpu()),
                        amount(node, "MiB", each.getMemoryMb()));
        Grant grant = each.getGpus() == 0 ? new Grant.None() : new Grant.Counted(each.getGpus());
        return new io.gpusched.core.model.ForeignTask(
                id,
                new Slot(node, 0, 0, grant, host),
                each.getSlicesList().stream().map(some -> slices(node, some)).toList());
    }

    private static long amount(NodeId node, String unit, long found) {
        if (found < 0 || found > MOST) {
            throw invalid("a sensible amount", found + " " + unit + " on " + node);
        }
        return found;
    }

    private static io.gpusched.core.model.SliceCount slices(NodeId node, SliceCount some) {
        String profile = some.getProfile().replaceFirst("\\.me$", "+me");
        if (MigGpuModel.anyNamed(profile) == null
                || some.getCount() < 0
                || some.getCount() > MOST_DEVICES) {
            throw invalid(
                    "slices of a MIG profile such as 1g.5gb",
                    some.getCount() + " of '" + some.getProfile() + "' on " + node);
        }
        return new io.gpusched.core.model.SliceCount(profile, some.getCount());
    }

    private static IllegalArgumentException invalid(String expected, String found) {
        return new IllegalArgumentException("expected " + expected + ", found " + found);
    }
}

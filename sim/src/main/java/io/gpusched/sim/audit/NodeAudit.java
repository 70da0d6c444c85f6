package io.gpusched.sim.audit;

import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.TopologyLevels;

import java.util.ArrayList;
import java.util.List;

/// The auditor's record of one node.
final class NodeAudit {
    private Node facts;
    private NodeStatus status = NodeStatus.READY;
    private long unfit;
    private final GpuAudit gpus = new GpuAudit();
    private long usedMilliCpu;
    private long usedMemoryMiB;
    private List<ForeignTask> foreign = List.of();
    private int tasks;

    NodeAudit(Node facts) {
        this.facts = facts;
    }

    /// Forgets the GPUs that the node no longer has.
    void describe(Node next) {
        facts = next;
        unfit &= next.allGpus();
    }

    void status(NodeStatus next) {
        status = next;
    }

    void foreign(List<ForeignTask> all) {
        foreign = all;
    }

    void condition(int gpu, GpuCondition condition) {
        long bit = 1L << gpu;
        unfit = condition.fit() ? unfit & ~bit : unfit | bit;
    }

    /// The topology domain of the node at the level, with the wider domains around it; empty if the
    /// node has no such label.
    List<String> place(String level) {
        TopologyLevels topologyLevels = TopologyLevels.DEFAULT;
        var place = new ArrayList<String>();
        for (int wider = 0; wider <= topologyLevels.of(level); wider++) {
            place.add(topologyLevels.place(facts, wider));
        }
        return place;
    }

    int tasks() {
        return tasks;
    }

    /// A task takes the slot: everything it was granted must be available.
    void take(Slot slot, Shape shape, Object who) {
        long mask = slot.grant().mask();
        Violation.unless(status.open(), "%s is placed on %s, which is %s", who, facts.id(), status);
        Violation.unless(
                (mask & ~facts.allGpus()) == 0,
                "%s gets GPUs that %s does not have",
                who,
                facts.id());
        Violation.unless((mask & unfit) == 0, "%s gets unfit GPUs of %s", who, facts.id());
        for (ForeignTask other : foreign) {
            Violation.unless(
                    (mask & other.slot().grant().mask()) == 0,
                    "%s gets GPUs of %s that %s uses",
                    who,
                    facts.id(),
                    other.id());
        }
        checkSuits(slot, shape, who);
        gpus.take(slot.grant(), shape, facts, who);
        usedMilliCpu += slot.host().milliCpu();
        usedMemoryMiB += slot.host().memoryMiB();
        tasks++;
        long foreignMilliCpu = foreign.stream().mapToLong(f -> f.slot().host().milliCpu()).sum();
        long foreignMemory = foreign.stream().mapToLong(f -> f.slot().host().memoryMiB()).sum();
        Violation.unless(
                usedMilliCpu + foreignMilliCpu <= facts.host().milliCpu()
                        && usedMemoryMiB + foreignMemory <= facts.host().memoryMiB(),
                "%s exceeds the cores or memory of %s: %s milli-CPU and %s MiB of %s",
                who,
                facts.id(),
                usedMilliCpu + foreignMilliCpu,
                usedMemoryMiB + foreignMemory,
                facts.host());
    }

    private void checkSuits(Slot slot, Shape shape, Object who) {
        Violation.unless(
                slot.host().equals(shape.host()),
                "%s gets %s, it asked for %s",
                who,
                slot.host(),
                shape.host());
        for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
            var gpu = facts.gpus().get(Long.numberOfTrailingZeros(rest));
            Violation.unless(
                    shape.acceptsModel(gpu.model())
                            && gpu.memoryMiB() >= shape.gpus().memoryMiBEach(),
                    "%s gets %s of %s, which does not suit %s",
                    who,
                    gpu,
                    facts.id(),
                    shape);
        }
        Violation.unless(
                shape.selects(facts.labels()),
                "%s is placed on %s without the labels %s %s",
                who,
                facts.id(),
                shape.nodes(),
                shape.requires().words());
        for (Taint taint : facts.taints()) {
            Violation.unless(
                    taint.effect().equals("PreferNoSchedule")
                            || shape.tolerates().stream().anyMatch(one -> one.covers(taint)),
                    "%s is placed on %s and does not tolerate %s",
                    who,
                    facts.id(),
                    taint);
        }
    }

    void release(Slot slot) {
        gpus.release(slot.grant());
        usedMilliCpu -= slot.host().milliCpu();
        usedMemoryMiB -= slot.host().memoryMiB();
        tasks--;
    }
}

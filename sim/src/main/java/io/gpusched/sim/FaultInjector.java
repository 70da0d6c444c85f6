package io.gpusched.sim;

import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.NodeId;
import io.gpusched.sim.scenario.Fault;

import java.time.Duration;
import java.time.Instant;

/// Applies faults to the agents, and undoes them when they end.
final class FaultInjector {
    private static final GpuCondition HOT = new GpuCondition(Heat.HOT, true, "");
    private static final GpuCondition BROKEN = new GpuCondition(Heat.COOL, false, "broken");

    private final SimulatedLauncher launcher;
    private final Network network;
    private final EventQueue<SimEvent> events;

    FaultInjector(SimulatedLauncher launcher, Network network, EventQueue<SimEvent> events) {
        this.launcher = launcher;
        this.network = network;
        this.events = events;
    }

    void strike(Fault fault, Instant now) {
        switch (fault) {
            case Fault.NodeLost it -> {
                SimulatedAgent agent = launcher.agentOf(it.node());
                agent.disconnect(it.backAfter(), now);
                if (!it.keepsRunning()) {
                    agent.crash(now);
                }
            }
            case Fault.AgentRestarted it -> launcher.agentOf(it.node()).restart(now);
            case Fault.SlowStart it -> {
                machine(it.node()).slow().add(it);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.StartsRefused it -> {
                machine(it.node()).refusing().add(it);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.BadNetwork it -> {
                network.strike(it);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.GpusHot it -> {
                launcher.agentOf(it.node()).measure(it.node(), it.gpus(), HOT, now);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.GpusUnfit it -> {
                launcher.agentOf(it.node()).measure(it.node(), it.gpus(), BROKEN, now);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.GpusGone it -> {
                launcher.agentOf(it.node()).keepGpus(it.node(), it.left(), now);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.ForeignUse it -> {
                launcher.agentOf(it.node()).foreign(it.node(), it.gpus(), now);
                mendAfter(it.lasts(), it, now);
            }
            case Fault.SchedulerRestarted it -> {}
        }
    }

    void mend(Fault fault, Instant now) {
        switch (fault) {
            case Fault.SlowStart it -> machine(it.node()).slow().remove(it);
            case Fault.StartsRefused it -> machine(it.node()).refusing().remove(it);
            case Fault.BadNetwork it -> network.mend(it);
            case Fault.GpusHot it -> well(it.node(), it.gpus(), now);
            case Fault.GpusUnfit it -> well(it.node(), it.gpus(), now);
            case Fault.GpusGone it ->
                    launcher.agentOf(it.node()).keepGpus(it.node(), Gpu.MOST_PER_NODE, now);
            case Fault.ForeignUse it -> launcher.agentOf(it.node()).foreign(it.node(), 0, now);
            case Fault.NodeLost it -> {}
            case Fault.AgentRestarted it -> {}
            case Fault.SchedulerRestarted it -> {}
        }
    }

    private void well(NodeId node, long gpus, Instant now) {
        launcher.agentOf(node).measure(node, gpus, GpuCondition.GOOD, now);
    }

    private void mendAfter(Duration lasts, Fault fault, Instant now) {
        events.plan(now.plus(lasts), new SimEvent.FaultEnds(fault));
    }

    private SimulatedMachine machine(NodeId node) {
        return launcher.agentOf(node).simulatedMachine();
    }
}

package io.gpusched.sim;

import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.model.IdleRules;
import io.gpusched.sim.scenario.ClusterDelays;

import java.time.Duration;

/// The queue, network and world that all simulated agents share.
record SimContext(
        EventQueue<SimEvent> events,
        ClusterDelays clusterDelays,
        IdleRules idle,
        Duration checkpointEvery,
        World world,
        Occupancy occupancy,
        Network network) {}

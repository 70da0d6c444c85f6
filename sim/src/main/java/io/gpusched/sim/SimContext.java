package io.gpusched.sim;

import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.model.IdleRules;
import io.gpusched.sim.scenario.ClusterDelays;

import java.time.Duration;

/// What every simulated agent shares with the others.
record SimContext(
        EventQueue<SimEvent> events,
        ClusterDelays clusterDelays,
        IdleRules idle,
        Duration checkpointEvery,
        World world,
        Occupancy occupancy,
        Network network) {}

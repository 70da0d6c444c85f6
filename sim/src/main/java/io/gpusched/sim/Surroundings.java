package io.gpusched.sim;

import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.model.IdleRules;
import io.gpusched.sim.scenario.Timing;

import java.time.Duration;

/// What every simulated agent shares with the others.
record Surroundings(
        EventQueue<Happening> events,
        Timing timing,
        IdleRules idle,
        Duration checkpointEvery,
        World world,
        Occupancy occupancy,
        Network network) {}

package io.gpusched.sim;

import io.gpusched.sim.scenario.Timing;

/// What every simulated agent shares with the others.
record Surroundings(
        Happenings happenings, Timing timing, World world, Occupancy occupancy, Network network) {}

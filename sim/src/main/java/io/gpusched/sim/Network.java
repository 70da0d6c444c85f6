package io.gpusched.sim;

import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.SeededRandom;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Decides for each message between an agent and the scheduler whether it is delayed, lost or
/// duplicated.
final class Network {
    private static final int LATEST_COPY_SECONDS = 40;

    private final List<Fault.BadNetwork> troubles = new ArrayList<>();
    private final SeededRandom seededRandom;

    Network(long seed) {
        this.seededRandom = SeededRandom.of(seed, "network", 0);
    }

    void strike(Fault.BadNetwork trouble) {
        troubles.add(trouble);
    }

    void mend(Fault.BadNetwork trouble) {
        troubles.remove(trouble);
    }

    /// Whether this message is lost and breaks its connection.
    boolean loses() {
        boolean lost = false;
        for (Fault.BadNetwork trouble : troubles) {
            lost |= seededRandom.chance(trouble.lose());
        }
        return lost;
    }

    /// Whether this message is delivered twice.
    boolean duplicates() {
        boolean again = false;
        for (Fault.BadNetwork trouble : troubles) {
            again |= seededRandom.chance(trouble.duplicate());
        }
        return again;
    }

    /// The delay of the duplicate.
    Duration copyDelay() {
        return Duration.ofSeconds(seededRandom.below(LATEST_COPY_SECONDS));
    }
}

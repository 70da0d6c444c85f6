package io.gpusched.sim;

import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.SeededRandom;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Decides the fate of each message between an agent and the scheduler.
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

    /// Whether this message breaks the connection it is sent over.
    boolean loses() {
        boolean lost = false;
        for (Fault.BadNetwork trouble : troubles) {
            lost |= seededRandom.chance(trouble.lose());
        }
        return lost;
    }

    /// Whether this message comes a second time.
    boolean duplicates() {
        boolean again = false;
        for (Fault.BadNetwork trouble : troubles) {
            again |= seededRandom.chance(trouble.duplicate());
        }
        return again;
    }

    /// How much later the copy comes.
    Duration copyDelay() {
        return Duration.ofSeconds(seededRandom.below(LATEST_COPY_SECONDS));
    }
}

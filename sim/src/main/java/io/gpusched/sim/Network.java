package io.gpusched.sim;

import io.gpusched.sim.scenario.Dice;
import io.gpusched.sim.scenario.Fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Decides the fate of each message between an agent and the scheduler.
final class Network {
    private static final int LATEST_COPY_SECONDS = 40;

    private final List<Fault.BadNetwork> troubles = new ArrayList<>();
    private final Dice dice;

    Network(long seed) {
        this.dice = Dice.of(seed, "network", 0);
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
            lost |= dice.chance(trouble.lose());
        }
        return lost;
    }

    /// Whether this message comes a second time.
    boolean duplicates() {
        boolean again = false;
        for (Fault.BadNetwork trouble : troubles) {
            again |= dice.chance(trouble.duplicate());
        }
        return again;
    }

    /// How much later the copy comes.
    Duration copyDelay() {
        return Duration.ofSeconds(dice.below(LATEST_COPY_SECONDS));
    }
}

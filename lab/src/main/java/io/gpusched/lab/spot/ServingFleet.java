package io.gpusched.lab.spot;

import java.util.Arrays;

/// The instances of a service, tick by tick: what was asked for, what the zones had, and what is
/// ready. An instance is ready once it was there for the ticks of a cold start and one more.
final class ServingFleet {
    private final int coldStart;
    private final int[][] kept;
    private final int[] onDemand;
    private int[] asked;
    private int ticks;

    ServingFleet(int zones, int length, int coldStart) {
        this.coldStart = coldStart;
        this.kept = new int[length][zones];
        this.onDemand = new int[length];
        this.asked = new int[zones];
    }

    int zones() {
        return asked.length;
    }

    int coldStart() {
        return coldStart;
    }

    /// How many ticks are over.
    int ticks() {
        return ticks;
    }

    /// Asked for in the tick before.
    int asked(int zone) {
        return asked[zone];
    }

    /// There at the end of the tick before.
    int kept(int zone) {
        return ticks == 0 ? 0 : kept[ticks - 1][zone];
    }

    int onDemand() {
        return ticks == 0 ? 0 : onDemand[ticks - 1];
    }

    /// Ready in the tick before.
    int ready(int zone) {
        int least = Integer.MAX_VALUE;
        for (int tick = ticks - 1 - coldStart; tick < ticks; tick++) {
            least = tick < 0 ? 0 : Math.min(least, kept[tick][zone]);
        }
        return least;
    }

    /// Spot instances that were ready in the tick before.
    int readySpots() {
        int sum = 0;
        for (int zone = 0; zone < zones(); zone++) {
            sum += ready(zone);
        }
        return sum;
    }

    int readyOnDemand() {
        int least = Integer.MAX_VALUE;
        for (int tick = ticks - 1 - coldStart; tick < ticks; tick++) {
            least = tick < 0 ? 0 : Math.min(least, onDemand[tick]);
        }
        return least;
    }

    int spots() {
        return ticks == 0 ? 0 : Arrays.stream(kept[ticks - 1]).sum();
    }

    /// Carries a plan out: each zone gives as many as it has.
    void step(int[] spots, int onDemandNow, int[] capacity) {
        asked = spots.clone();
        for (int zone = 0; zone < zones(); zone++) {
            kept[ticks][zone] = Math.min(spots[zone], capacity[zone]);
        }
        onDemand[ticks++] = onDemandNow;
    }
}

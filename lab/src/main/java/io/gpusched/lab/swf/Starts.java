package io.gpusched.lab.swf;

import io.gpusched.sim.trace.BadTrace;

/// Where sequences begin.
public final class Starts {
    private Starts() {}

    /// Rows of the trace, drawn as the published experiment draws them.
    public static int[] draw(long seed, int jobs, int length, int sequences) {
        if (jobs < 2 * length + 2) {
            throw new BadTrace(
                    "sequences of %d jobs need a trace of at least %d, found %d; choose a smaller --length"
                            .formatted(length, 2 * length + 2, jobs));
        }
        Mersenne dice = Mersenne.ofSeed(seed);
        var starts = new int[sequences];
        for (int i = 0; i < sequences; i++) {
            starts[i] = dice.between(length, jobs - length - 1);
        }
        return starts;
    }
}

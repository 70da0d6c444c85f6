package io.gpusched.core.spot;

/// How long spot capacity stays available, and how long it stays away. Both are the same kind of
/// law: the longer a state has lasted, the less likely it ends soon. The chance that a state ends
/// within the next ten minutes is `CHANCE / age^DECAY`, with the age in units of ten minutes, times
/// a pace that is learned for each of the two states.
///
/// Ages are grouped, because the expected costs are computed for every group. A group is left for
/// the next one with the chance that gives its mean length.
///
///     group   0   1   2     3     4      5       6       7
///     age     1   2   3-4   5-8   9-16   17-32   33-64   65 and more   (times ten minutes)
///
/// The two constants were chosen on half of the regions of the experiment `spot-deadline`, which
/// reports both halves.
final class AvailabilityModel {
    /// Ten minutes, in milliseconds.
    static final long UNIT = 600_000;
    static final int GROUPS = 8;

    private static final int[] FIRST_AGE = {1, 2, 3, 5, 9, 17, 33, 65};
    private static final double CHANCE = 0.3;
    private static final double DECAY = 0.5;
    private static final double MOST = 0.9;
    private static final double[] ENDS = ends();

    private final double[][] ends = new double[2][GROUPS];
    private final double[] ages = new double[GROUPS];

    /// @param outagePace how much sooner than usual outages end: 2 is twice as soon
    /// @param supplyPace how much sooner than usual available capacity is taken away
    AvailabilityModel(double outagePace, double supplyPace) {
        for (int group = 0; group < GROUPS; group++) {
            ends[0][group] = Math.min(MOST, ENDS[group] * outagePace);
            ends[1][group] = Math.min(MOST, ENDS[group] * supplyPace);
            ages[group] = group + 1 == GROUPS ? 0 : 1.0 / (FIRST_AGE[group + 1] - FIRST_AGE[group]);
        }
    }

    /// The chance that the state ends within the next ten minutes.
    double ends(boolean available, int group) {
        return ends[available ? 1 : 0][group];
    }

    /// The chance that a state that goes on is in the next group after ten minutes.
    double ages(int group) {
        return ages[group];
    }

    static int group(long ageMillis) {
        long age = 1 + ageMillis / UNIT;
        int group = 0;
        while (group + 1 < GROUPS && age >= FIRST_AGE[group + 1]) {
            group++;
        }
        return group;
    }

    /// How many ends the law at its usual pace expects in a state of this length.
    static double expectedEnds(long units) {
        double sum = 0;
        for (int group = 0; group < GROUPS && units >= FIRST_AGE[group]; group++) {
            long last = group + 1 < GROUPS ? FIRST_AGE[group + 1] - 1 : Long.MAX_VALUE;
            sum += (Math.min(units, last) - FIRST_AGE[group] + 1) * ENDS[group];
        }
        return sum;
    }

    private static double[] ends() {
        var ends = new double[GROUPS];
        for (int group = 0; group < GROUPS; group++) {
            double last = group + 1 < GROUPS ? FIRST_AGE[group + 1] - 1 : 2.0 * FIRST_AGE[group];
            ends[group] = CHANCE / StrictMath.pow(FIRST_AGE[group] * last, DECAY / 2);
        }
        return ends;
    }
}

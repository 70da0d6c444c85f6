package io.gpusched.core.spot;

/// The expected cost of finishing a job before its deadline, for every amount of work that remains
/// and every amount of slack, when each step is chosen best. Computed backwards from the end, once
/// for all jobs with the same overhead, prices and model: the table has every pair of work and
/// slack that together take no more than so many steps, so jobs of any proportion share it.
///
/// Time is counted in steps, cost in steps on demand. A start pays its overhead at once, in cost
/// and in slack; slack between two whole steps is interpolated. Two limits keep the deadline safe:
/// a job waits only if it can still start on demand afterwards, and runs on spot capacity only if
/// one more step may be lost before it starts on demand.
///
/// Cost: about 40 states for each pair of work and slack. Rejected: the best action alone, a tenth
/// of the memory, because rounding the slack costs 0.1 % (`docs/adr/0066`); a table as wide and
/// high as one job needs, which jobs of other proportions replace by theirs in every minute.
final class ExpectedCosts {
    private static final int WAIT = 0;
    private static final int SPOT = 1;
    private static final int ON_DEMAND = 2;
    private static final int STATES = AvailabilityModel.GROUPS * 5;

    /// What cannot be done without risk for the deadline.
    static final double NEVER = 1e9;

    private final int steps;
    private final double start;
    private final double spotPrice;
    private final AvailabilityModel model;
    private final float[][][] costs;

    /// @param steps the most that work and slack take together
    /// @param start overhead of a start, in steps
    /// @param spotPrice price of spot capacity as a fraction of the price on demand
    ExpectedCosts(int steps, double start, double spotPrice, AvailabilityModel model) {
        this.steps = steps;
        this.start = start;
        this.spotPrice = spotPrice;
        this.model = model;
        this.costs = new float[STATES][steps + 1][];
        for (int work = 1; work <= steps; work++) {
            for (float[][] state : costs) {
                state[work] = new float[steps - work + 1];
            }
            for (int slack = 0; slack <= steps - work; slack++) {
                fill(work, slack);
            }
        }
    }

    boolean covers(int work, int slack) {
        return work + slack <= steps;
    }

    private void fill(int work, int slack) {
        for (int group = AvailabilityModel.GROUPS - 1; group >= 0; group--) {
            for (int current = WAIT; current <= ON_DEMAND; current++) {
                costs[state(true, group, current)][work][slack] =
                        (float) least(work, slack, true, group, current);
                if (current != SPOT) {
                    costs[state(false, group, current)][work][slack] =
                            (float) least(work, slack, false, group, current);
                }
            }
        }
    }

    private double least(int work, double slack, boolean has, int group, int current) {
        double best = onDemand(work, slack, has, group, current);
        best = Math.min(best, waiting(work, slack, has, group));
        return has ? Math.min(best, spot(work, slack, group, current)) : best;
    }

    /// The expected cost of all that is left if the next step is this.
    double of(SpotChoice next, int work, double slack, boolean has, int group, SpotChoice current) {
        int from = current.ordinal();
        return switch (next) {
            case WAIT -> waiting(work, slack, has, group);
            case SPOT -> has ? spot(work, slack, group, from) : NEVER;
            case ON_DEMAND -> onDemand(work, slack, has, group, from);
        };
    }

    private double waiting(int work, double slack, boolean has, int group) {
        return slack - 1 < start ? NEVER : after(work, slack - 1, has, group, WAIT);
    }

    private double spot(int work, double slack, int group, int current) {
        double lost = current == SPOT ? 0 : start;
        return slack - lost < start + 1
                ? NEVER
                : spotPrice * (1 + lost) + after(work - 1, slack - lost, true, group, SPOT);
    }

    private double onDemand(int work, double slack, boolean has, int group, int current) {
        double lost = current == ON_DEMAND ? 0 : start;
        return 1 + lost + after(work - 1, Math.max(0, slack - lost), has, group, ON_DEMAND);
    }

    /// The expected cost after a step in which the market changed or went on.
    private double after(int work, double slack, boolean has, int group, int machine) {
        if (work <= 0) {
            return 0;
        }
        double ends = model.ends(has, group);
        double changed = at(state(!has, 0, machine == SPOT ? WAIT : machine), work, slack);
        double same = at(state(has, group, machine), work, slack);
        double older = model.ages(group);
        if (older > 0) {
            same = (1 - older) * same + older * at(state(has, group + 1, machine), work, slack);
        }
        return ends * changed + (1 - ends) * same;
    }

    private double at(int state, int work, double slack) {
        float[] row = costs[state][work];
        int below = (int) slack;
        double part = slack - below;
        return part == 0 ? row[below] : row[below] * (1 - part) + row[below + 1] * part;
    }

    private static int state(boolean has, int group, int current) {
        return has
                ? group * 3 + current
                : AvailabilityModel.GROUPS * 3 + group * 2 + (current == ON_DEMAND ? 1 : 0);
    }
}

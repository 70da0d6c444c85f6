package io.gpusched.lab.spot;

import io.gpusched.core.spot.SpotChoice;

/// The result of one run.
///
/// @param cost in dollars
/// @param starts how often the job was started
/// @param missed whether the job ended after its deadline
public record DeadlineRun(
        double cost, int spotTicks, int onDemandTicks, int starts, boolean missed) {
    static final double ON_DEMAND_PRICE = 3.06;
    static final double SPOT_PRICE = 0.9731;

    private static final double DONE = 1e-8;

    /// Runs a job tick by tick. Over every policy stands the guarantee of the experiment: a job
    /// that can only just meet its deadline runs.
    static DeadlineRun of(DeadlineCase given, DeadlineTraces.Trace trace, DeadlinePolicy policy) {
        double task = given.task();
        double done = 0;
        double overheadLeft = 0;
        double cost = 0;
        int[] ticks = new int[SpotChoice.values().length];
        int starts = 0;
        SpotChoice last = SpotChoice.WAIT;
        for (int i = 0; ; i++) {
            if (last != SpotChoice.WAIT) {
                double worked = Math.max(trace.tick() - overheadLeft, 0);
                overheadLeft -= trace.tick() - worked;
                overheadLeft = overheadLeft < DeadlineState.TINY ? 0 : overheadLeft;
                done += Math.min(worked, task - done);
                cost += price(last, trace.tick());
                ticks[last.ordinal()]++;
            }
            double now = (double) trace.tick() * i;
            if (task - done <= DONE) {
                return new DeadlineRun(
                        cost,
                        ticks[SpotChoice.SPOT.ordinal()],
                        ticks[SpotChoice.ON_DEMAND.ordinal()],
                        starts,
                        now > given.deadline());
            }
            boolean has = trace.has(i);
            var state =
                    new DeadlineState(
                            task,
                            given.deadline(),
                            given.overhead(),
                            now,
                            trace.tick(),
                            task - done,
                            overheadLeft,
                            last,
                            has);
            SpotChoice next = guaranteed(state, policy.choose(state));
            if (next != state.current() && next != SpotChoice.WAIT) {
                overheadLeft = given.overhead();
                starts++;
            }
            last = next;
        }
    }

    private static SpotChoice guaranteed(DeadlineState state, SpotChoice wish) {
        SpotChoice next = wish;
        if (state.mustRun()) {
            next =
                    state.isOnSpotWithoutOverhead(state.last())
                            ? SpotChoice.SPOT
                            : SpotChoice.ON_DEMAND;
        }
        return next == SpotChoice.SPOT && !state.has() ? SpotChoice.WAIT : next;
    }

    static double price(SpotChoice where, int tick) {
        return (where == SpotChoice.SPOT ? SPOT_PRICE : ON_DEMAND_PRICE) / (3600.0 / tick);
    }
}

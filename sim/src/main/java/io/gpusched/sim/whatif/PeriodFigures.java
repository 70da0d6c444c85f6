package io.gpusched.sim.whatif;

import java.util.List;

/// What came of the jobs that were there, or came, between two times. Times are seconds.
///
/// @param all over every job
/// @param tenants the same for each tenant, by name
/// @param jain how evenly tenants were served (Jain's index of [Group#served]): 1 when all alike
public record PeriodFigures(Group all, List<Group> tenants, double jain) {
    public PeriodFigures {
        tenants = List.copyOf(tenants);
    }

    /// The figures of some jobs. Whoever has not started, or not ended, counts as having waited, or
    /// taken, until the end: so no policy looks better for what it left undone.
    ///
    /// @param waitMean from submission to the first start
    /// @param completionMean from submission to the end
    /// @param wastedGpuHours of runs that were interrupted, and have to be done again
    /// @param evictions runs that were made to leave
    /// @param losses runs that were lost with a node
    /// @param dollars what the GPUs held cost, by the prices when each run began
    /// @param kilowattHours what they drew
    /// @param served the part of the GPU time asked for that was had: held, by held and waited for
    public record Group(
            String name,
            long jobs,
            long started,
            long ended,
            double waitMean,
            double waitMedian,
            double waitP90,
            double completionMean,
            double gpuHours,
            double wastedGpuHours,
            long evictions,
            long losses,
            double dollars,
            double kilowattHours,
            double served) {}

    static double jain(List<Group> tenants) {
        double sum = 0;
        double squares = 0;
        for (Group tenant : tenants) {
            sum += tenant.served();
            squares += tenant.served() * tenant.served();
        }
        return squares == 0 ? 1 : sum * sum / (tenants.size() * squares);
    }
}

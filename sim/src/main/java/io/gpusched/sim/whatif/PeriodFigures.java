package io.gpusched.sim.whatif;

import java.util.List;

/// The figures of all jobs that were present between two times. Times are in seconds.
///
/// @param all over every job
/// @param tenants the same for each tenant, by name
/// @param jain Jain's fairness index of [Group#served] over the tenants: 1 if all are served
///        equally
public record PeriodFigures(Group all, List<Group> tenants, double jain) {
    public PeriodFigures {
        tenants = List.copyOf(tenants);
    }

    /// The figures of some jobs. A job that has not started, or not ended, counts as waiting, or
    /// running, until the end of the period: a policy gains nothing by leaving jobs undone.
    ///
    /// @param waitMean from submission to the first start
    /// @param completionMean from submission to the end
    /// @param wastedGpuHours GPU hours of interrupted runs that must be repeated
    /// @param evictions runs that were preempted
    /// @param losses runs that were lost with a node
    /// @param dollars what the GPUs held cost, by the prices when each run began
    /// @param kilowattHours what they drew
    /// @param served GPU time held, divided by GPU time held plus waited for
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

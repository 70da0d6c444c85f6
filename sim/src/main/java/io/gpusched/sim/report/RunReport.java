package io.gpusched.sim.report;

import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.List;

/// The figures of one run.
///
/// @param makespan from the first submission to the last end; if jobs are left, to the end of the
///        observed time
/// @param utilisation GPU time held by jobs, as a fraction of the GPU time available until the last
///        end or, if jobs are left, until the last event
/// @param wastedGpuHours GPU hours of interrupted runs that must be repeated: the whole run, or the
///        part after the last checkpoint
/// @param all over every job
/// @param tenants the same for each tenant, by name
/// @param effort the work of the scheduler, counted and not timed
public record RunReport(
        String scenario,
        String policy,
        long seed,
        Duration makespan,
        double utilisation,
        double wastedGpuHours,
        Group all,
        List<Group> tenants,
        Effort effort) {
    public RunReport {
        tenants = List.copyOf(tenants);
    }

    /// The figures of some jobs.
    ///
    /// @param waiting from submission to the first placement
    /// @param completion from submission to the end, of jobs that completed
    /// @param unfinished submitted and neither completed, failed nor cancelled
    public record Group(
            String name,
            long submitted,
            long completed,
            long failed,
            long cancelled,
            long unfinished,
            long preemptions,
            long losses,
            double gpuHours,
            DurationSpread waiting,
            DurationSpread completion) {}

    public record Effort(
            long batches, long events, long turns, long nodesLookedAt, long candidatesScored) {}

    public Group tenant(TenantId id) {
        return tenants.stream()
                .filter(group -> group.name().equals(id.name()))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("tenant " + id + " submitted nothing"));
    }
}

package io.gpusched.sim.report;

import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.List;

/// The figures of one run.
///
/// @param makespan from the first submission to the last end; with jobs that have not ended, to
///        when the cluster was last watched
/// @param utilisation GPU time held by jobs, as a share of the available GPU time until the last
///        end, or when jobs are left, until anything last happened
/// @param wastedGpuHours held by runs that were interrupted and had to be done again, all of them
///        or what came after the last checkpoint
/// @param all over every job
/// @param tenants the same for each tenant, by name
/// @param effort what it cost the scheduler, counted rather than timed
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

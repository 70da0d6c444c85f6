package io.gpusched.sim.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// All measurements of one finished run.
///
/// @param tenants by name
/// @param waits waiting times in seconds at 0, 0.5, 1 to 100 %
/// @param completions completion times in the same way
/// @param use the cluster over time
/// @param bars which job held which GPU in the first hours
public record RunMeasurements(
        MetricValues all,
        SequencedMap<String, MetricValues> tenants,
        List<Double> waits,
        List<Double> completions,
        Use use,
        List<Bar> bars) {
    public RunMeasurements {
        tenants = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tenants));
        waits = List.copyOf(waits);
        completions = List.copyOf(completions);
        bars = List.copyOf(bars);
    }

    /// The cluster over time, in steps of equal length.
    ///
    /// @param stepSeconds how long a step is
    /// @param allocation the part of the GPUs that was held, for each step
    /// @param utilisation the part that was held by tasks that used it
    /// @param waiting how many jobs waited
    public record Use(
            double stepSeconds,
            List<Double> allocation,
            List<Double> utilisation,
            List<Double> waiting) {
        public Use {
            allocation = List.copyOf(allocation);
            utilisation = List.copyOf(utilisation);
            waiting = List.copyOf(waiting);
        }
    }

    /// The time that a job holds neighbouring GPUs of a node, or a part of one.
    ///
    /// @param gpu the first of them
    /// @param from seconds since the first submission
    /// @param interrupted whether the run was interrupted
    public record Bar(
            String node,
            int gpu,
            int gpus,
            long job,
            String tenant,
            double from,
            double to,
            boolean interrupted) {
        Bar until(double end, boolean cut) {
            return new Bar(node, gpu, gpus, job, tenant, from, end, cut);
        }
    }

    /// The figures of a tenant; none for one that submitted nothing.
    public MetricValues tenant(String name) {
        return tenants.getOrDefault(name, new MetricValues());
    }
}

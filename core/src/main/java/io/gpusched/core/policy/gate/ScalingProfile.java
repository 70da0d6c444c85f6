package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Check;

import java.util.List;

/// How fast a job runs on each number of nodes, and how much power it draws there. Both lists begin
/// with zero nodes and grow from entry to entry, so that one more node is always faster and never
/// free.
///
/// @param throughput work done per slot of the forecast, in any unit
/// @param watts power of all nodes together
public record ScalingProfile(List<Double> throughput, List<Double> watts) {
    public ScalingProfile {
        throughput = List.copyOf(throughput);
        watts = List.copyOf(watts);
        Check.that(
                throughput.size() == watts.size() && watts.size() > 1,
                "a profile has as many throughputs as powers, two or more, found %s and %s",
                throughput.size(),
                watts.size());
        checkGrows("throughput", throughput);
        checkGrows("watts", watts);
    }

    public int maxNodes() {
        return watts.size() - 1;
    }

    /// What one more node adds to the throughput.
    double gain(int nodes) {
        return throughput.get(nodes) - throughput.get(nodes - 1);
    }

    /// What one more node adds to the power.
    double power(int nodes) {
        return watts.get(nodes) - watts.get(nodes - 1);
    }

    private static void checkGrows(String field, List<Double> values) {
        Check.that(values.getFirst() == 0, "%s of no node is 0, found %s", field, values);
        for (int i = 1; i < values.size(); i++) {
            double step = values.get(i) - values.get(i - 1);
            Check.that(
                    step > 0 && Double.isFinite(step),
                    "%s grows with every node, found %s",
                    field,
                    values);
        }
    }
}

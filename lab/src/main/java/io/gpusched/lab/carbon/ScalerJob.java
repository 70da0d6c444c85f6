package io.gpusched.lab.carbon;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.policy.gate.CarbonSchedule;
import io.gpusched.core.policy.gate.ScalingProfile;

import java.util.List;
import java.util.stream.Collectors;

/// An elastic job of the experiment: the work of one node in 24 hours, to be done within a
/// deadline.
///
/// @param hours the intensity of its zone
/// @param start the hour at which the job may begin
/// @param deadline hours from `start` on in which the job must end
public record ScalerJob(
        String zone,
        String profileName,
        ScalingProfile profile,
        CarbonForecast hours,
        int start,
        int deadline) {
    static final int WORK_HOURS = 24;

    /// As published: rounding must not ask for one more node.
    private static final double NEARLY_ALL = 0.999999999;

    /// The plan of the job, and its emissions beside those of one node that starts at once.
    public ScalerRow solve() {
        double work = WORK_HOURS * profile.throughput().get(1) * NEARLY_ALL;
        CarbonSchedule schedule = CarbonSchedule.plan(hours, start, deadline, profile, work);
        double agnostic = 0;
        for (int hour = start; hour < start + WORK_HOURS; hour++) {
            agnostic += profile.watts().get(1) * hours.grams(hour) / 1000;
        }
        return ScalerRow.of(
                this,
                schedule.nodes().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                schedule.grams(),
                agnostic);
    }

    /// A profile of which at most so many nodes may be used.
    static ScalingProfile upTo(ScalingProfile profile, int nodes) {
        List<Double> throughput = profile.throughput().subList(0, nodes + 1);
        return new ScalingProfile(throughput, profile.watts().subList(0, nodes + 1));
    }
}

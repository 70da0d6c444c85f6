package io.gpusched.server.whatif;

import io.gpusched.server.metrics.Meters;
import io.gpusched.sim.whatif.MeanInterval;
import io.gpusched.sim.whatif.PairedDifferences.Objective;
import io.gpusched.sim.whatif.ShadowReplay;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Gauges that compare the shadow policy with the policy in force. They are absent while there is
/// no shadow policy.
public final class ShadowMeters {
    private final Meters meters;
    private final ShadowPolicy shadowPolicy;

    private ShadowMeters(Meters meters, ShadowPolicy shadowPolicy) {
        this.meters = meters;
        this.shadowPolicy = shadowPolicy;
    }

    /// Adds the gauges of a shadow policy.
    public static void add(Meters meters, ShadowPolicy shadowPolicy) {
        var gauges = new ShadowMeters(meters, shadowPolicy);
        gauges.addState();
        gauges.addComparison();
        gauges.addIntervals();
    }

    private void addState() {
        meters.gauge(
                "gpu_scheduler_shadow_running",
                "Whether the shadow policy runs: 1, or 0 when it has stopped.",
                () -> unlessNone(shadowPolicy.stopped().isEmpty() ? 1 : 0));
        meters.gauge(
                "gpu_scheduler_shadow_resyncs",
                "How often the shadow policy started again because it could not keep up.",
                () -> unlessNone((double) shadowPolicy.resyncs().count()));
    }

    private double unlessNone(double value) {
        return shadowPolicy.policy().isEmpty() ? Double.NaN : value;
    }

    private void addComparison() {
        gauge(
                "gpu_scheduler_shadow_behind_seconds",
                "How far the shadow policy is behind the scheduler.",
                seen -> seen.behind().toMillis() / 1e3);
        gauge(
                "gpu_scheduler_shadow_differing_starts",
                "Jobs that the shadow policy started at another time.",
                seen -> seen.starts().earlier() + seen.starts().later());
        gauge(
                "gpu_scheduler_shadow_gained_seconds",
                "Sum of the time by which jobs started sooner under the shadow policy.",
                seen -> seen.starts().secondsGained());
        gauge(
                "gpu_scheduler_shadow_wait_mean_seconds",
                "The mean wait under the shadow policy.",
                seen -> seen.shadow().all().waitMean());
        gauge(
                "gpu_scheduler_shadow_live_wait_mean_seconds",
                "The mean wait under the policy in force, over the same time.",
                seen -> seen.live().all().waitMean());
    }

    private void gauge(String name, String help, ToDoubleFunction<ShadowReplay.Picture> what) {
        meters.gauge(
                name,
                help,
                () -> {
                    ShadowReplay.Picture seen = shadowPolicy.picture();
                    return unlessNone(seen == null ? 0 : what.applyAsDouble(seen));
                });
    }

    private void addIntervals() {
        intervals(
                "gpu_scheduler_shadow_difference_mean",
                "Mean over all jobs of the value under the shadow policy minus the live value, in"
                        + " seconds; slowdown has no unit.",
                MeanInterval::mean);
        intervals(
                "gpu_scheduler_shadow_difference_low",
                "Lower end of the 95 % confidence interval of the mean difference.",
                MeanInterval::low);
        intervals(
                "gpu_scheduler_shadow_difference_high",
                "Upper end of the 95 % confidence interval of the mean difference.",
                MeanInterval::high);
        intervals(
                "gpu_scheduler_shadow_compared_jobs",
                "Jobs that were compared.",
                MeanInterval::jobs);
        intervals(
                "gpu_scheduler_shadow_verdict",
                "1 if the shadow policy is better, -1 if it is worse, 0 if that is undecided.",
                interval ->
                        switch (interval.verdict()) {
                            case BETTER -> 1;
                            case WORSE -> -1;
                            case UNDECIDED -> 0;
                        });
    }

    private void intervals(String name, String help, ToDoubleFunction<MeanInterval> what) {
        meters.gauges(name, help, "objective", () -> rows(what));
    }

    private Map<String, Double> rows(ToDoubleFunction<MeanInterval> what) {
        var rows = new LinkedHashMap<String, Double>();
        ShadowReplay.Picture seen = shadowPolicy.picture();
        if (seen != null) {
            for (Objective objective : Objective.values()) {
                double value = what.applyAsDouble(seen.differences().of(objective));
                if (!Double.isNaN(value)) {
                    rows.put(objective.name().toLowerCase(Locale.ROOT), value);
                }
            }
        }
        return rows;
    }
}

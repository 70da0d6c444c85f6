package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Check;

/// The distribution of a run's runtime: every quantile, the remaining time after some time, and
/// samples for simulation. It does not change when the model learns more.
///
/// Nine in ten runs end within `quantile(0.9)`: the levels are calibrated by the results of earlier
/// forecasts.
public final class RuntimeEstimate {
    private final RuntimeCurve runtimeCurve;
    private final Calibration.Map map;
    private final Belief belief;

    RuntimeEstimate(RuntimeCurve runtimeCurve, Calibration.Map map, Belief belief) {
        this.runtimeCurve = runtimeCurve;
        this.map = map;
        this.belief = belief;
    }

    public Belief belief() {
        return belief;
    }

    /// The seconds within which a fraction `p` of such runs ends; increases with `p`, from 0 to 1.
    public double quantile(double p) {
        Check.that(p >= 0 && p <= 1, "expected a fraction between 0 and 1, found %s", p);
        return StrictMath.exp(runtimeCurve.quantile(map.level(p)));
    }

    /// The time that half of the runs exceed.
    public double median() {
        return quantile(0.5);
    }

    /// The mean in seconds, without the longest thousandth.
    public double mean() {
        return runtimeCurve.meanSeconds();
    }

    /// The fraction of such runs that ends within this many seconds.
    public double within(double seconds) {
        return seconds > 0 ? map.part(runtimeCurve.below(StrictMath.log(seconds))) : 0;
    }

    /// A runtime sampled by `u`, uniform between 0 and 1.
    public double sample(double u) {
        return quantile(u);
    }

    /// The seconds that a run in progress for `elapsed` still needs: a fraction `p` of such runs
    /// ends sooner.
    ///
    /// A run that exceeds every known runtime is assumed to continue in proportion to its age: its
    /// median remaining time equals its age.
    public double remaining(double elapsed, double p) {
        Check.that(p >= 0 && p <= 1, "expected a fraction between 0 and 1, found %s", p);
        if (elapsed <= 0) {
            return quantile(p);
        }
        double left = 1 - within(elapsed);
        if (left < OUTLIVED) {
            return elapsed * (1 / Math.max(1 - p, OUTLIVED) - 1);
        }
        return Math.max(0, quantile(1 - (1 - p) * left) - elapsed);
    }

    private static final double OUTLIVED = 0.002;

    /// The same work when everything takes `factor` times as long, as beside neighbours.
    public RuntimeEstimate slowed(double factor) {
        Check.that(factor > 0, "expected a positive factor, found %s", factor);
        double by = StrictMath.log(factor);
        return new RuntimeEstimate(
                runtimeCurve.shifted(by),
                map,
                new Belief(
                        belief.mean() + by,
                        belief.variance(),
                        belief.epistemic(),
                        belief.effective(),
                        belief.samples()));
    }

    RuntimeCurve runtimeCurve() {
        return runtimeCurve;
    }
}

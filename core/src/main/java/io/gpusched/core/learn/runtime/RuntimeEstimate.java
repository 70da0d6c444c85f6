package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Check;

/// How long a run will take, as a whole: every quantile, what is left after some time, and draws
/// for simulation. It does not change when the model goes on learning.
///
/// Of the runs said to end within `quantile(0.9)`, nine in ten do: the levels are corrected by what
/// came of earlier promises.
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

    /// The seconds within which a part `p` of such runs ends; rises with `p`, from 0 to 1.
    public double quantile(double p) {
        Check.that(p >= 0 && p <= 1, "expected a part between 0 and 1, found %s", p);
        return StrictMath.exp(runtimeCurve.quantile(map.level(p)));
    }

    /// As many runs take longer as take less.
    public double median() {
        return quantile(0.5);
    }

    /// The mean in seconds, without the longest thousandth.
    public double mean() {
        return runtimeCurve.meanSeconds();
    }

    /// The part of such runs that ends within so many seconds.
    public double within(double seconds) {
        return seconds > 0 ? map.part(runtimeCurve.below(StrictMath.log(seconds))) : 0;
    }

    /// A run time drawn by `u`, evenly spread between 0 and 1.
    public double sample(double u) {
        return quantile(u);
    }

    /// The seconds that a run which has gone on for `elapsed` still needs, with a part `p` of such
    /// runs ending sooner.
    ///
    /// A run that has outlived everything known is taken to go on in proportion to its age: it is
    /// as likely as not to take as long again.
    public double remaining(double elapsed, double p) {
        Check.that(p >= 0 && p <= 1, "expected a part between 0 and 1, found %s", p);
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

package io.gpusched.lab.swf;

import io.gpusched.core.model.Check;

import java.util.List;
import java.util.Locale;

/// How much smaller the values of one order are than those of another on the same workloads: the
/// mean of the logarithms of the ratios, its standard error, and how often they are smaller. Pairs
/// are compared, so workloads with large values do not hide the others.
public record PairedGain(double mean, double error, int wins, int pairs) {
    /// @param one whose values should be smaller
    public static PairedGain of(List<Double> one, List<Double> other) {
        Check.that(one.size() == other.size(), "%s and %s values", one.size(), other.size());
        int count = one.size();
        double sum = 0;
        double squares = 0;
        int wins = 0;
        for (int i = 0; i < count; i++) {
            double ratio = StrictMath.log(other.get(i) / one.get(i));
            sum += ratio;
            squares += ratio * ratio;
            wins += ratio > 0 ? 1 : 0;
        }
        double mean = sum / count;
        double variance = Math.max(0, squares / count - mean * mean);
        return new PairedGain(mean, count < 2 ? 0 : Math.sqrt(variance / (count - 1)), wins, count);
    }

    /// How much smaller, in percent, with the standard error, also in percent; negative if the
    /// values are larger. The error follows from that of the logarithms by the slope at the mean.
    public String percent() {
        double ratio = StrictMath.exp(-mean);
        return String.format(
                Locale.ROOT, "%+.1f %% ± %.1f %%", 100 * (1 - ratio), 100 * error * ratio);
    }

    /// In how many pairs the value is smaller.
    public String wonPairs() {
        return wins + " of " + pairs;
    }
}

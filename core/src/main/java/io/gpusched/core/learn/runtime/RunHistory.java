package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.LearnedRuns;

import java.util.ArrayList;
import java.util.Arrays;

/// The last runs of one kind on one GPU model, with their forgetting rate and detected changes.
///
/// Sums go over the runs from the oldest to the newest, whatever their index in the ring, so that a
/// restored history gives the same figures to the last bit.
final class RunHistory {
    /// The most runs kept; beyond that the oldest is dropped.
    static final int MOST = 256;

    private static final int FIRST = 8;

    /// This fraction of the weight is spread evenly over all runs, so that no mode is quite
    /// forgotten.
    private static final double EVENLY = 0.03;

    /// The weight of runs from before a change, and their weight where all runs count alike: rates
    /// that forget anyway need a smaller reduction.
    private static final double OUTDATED = 0.3;

    private static final double OUTDATED_ALIKE = 0.02;

    private static final double KEEP = 0.98;

    final Profile.Key key;
    final ForgettingRate forgettingRate;
    final DriftDetector driftDetector;

    private double[] logs = new double[FIRST];
    private long[] starts = new long[FIRST];
    private float[] traits = new float[FIRST * NumericFeatures.COUNT];
    private int oldest;
    private int size;

    /// Runs ever seen.
    long count;

    /// When it last changed, in microseconds.
    long changed;

    /// When a forecast was last made for comparison with the result.
    long examined;

    /// Whether the runs are corrected runs beside neighbours, because there were no others yet.
    boolean borrowed;

    /// Increases with every change.
    private long version;

    RunHistory(Profile.Key key) {
        this(key, new ForgettingRate(KEEP), new DriftDetector());
    }

    /// An empty history with these detected changes.
    static RunHistory after(Profile.Key key, LearnedRuns.Drift changes) {
        return changes.changes() == 0
                ? new RunHistory(key)
                : new RunHistory(key, new ForgettingRate(KEEP), DriftDetector.known(changes));
    }

    private RunHistory(
            Profile.Key key, ForgettingRate forgettingRate, DriftDetector driftDetector) {
        this.key = key;
        this.forgettingRate = forgettingRate;
        this.driftDetector = driftDetector;
        examined = Long.MIN_VALUE;
    }

    int size() {
        return size;
    }

    long version() {
        return version;
    }

    void add(double log, long start, float[] of) {
        if (size == logs.length && size < MOST) {
            grow();
        }
        int place = (oldest + size) % logs.length;
        if (size == logs.length) {
            oldest = (oldest + 1) % logs.length;
        } else {
            size++;
        }
        logs[place] = log;
        starts[place] = start;
        System.arraycopy(of, 0, traits, place * NumericFeatures.COUNT, NumericFeatures.COUNT);
        count++;
        version++;
    }

    /// Only a full ring grows, and a ring below the maximum has not wrapped around yet.
    private void grow() {
        int more = Math.min(MOST, logs.length * 2);
        logs = Arrays.copyOf(logs, more);
        starts = Arrays.copyOf(starts, more);
        traits = Arrays.copyOf(traits, more * NumericFeatures.COUNT);
    }

    void clear() {
        oldest = 0;
        size = 0;
        version++;
    }

    /// The weights of the runs at a moment, and the weight of a run in progress beside them. `runs`
    /// is the effective number of independent runs.
    static final class Weights {
        final double runs;
        private final int rate;
        private final double[] each;
        private final double sum;

        private Weights(int rate, double[] each, double runs, double sum) {
            this.rate = rate;
            this.each = each;
            this.runs = runs;
            this.sum = sum;
        }

        double of(double age) {
            if (runs == 0) {
                return 0.5;
            }
            double share =
                    (1 - EVENLY) * ForgettingRate.weight(rate, age) / sum + EVENLY / each.length;
            return runs * share;
        }
    }

    /// The weights, oldest run first; they add up to the effective number of independent runs. A
    /// moment in the past sees only the runs that had ended by then.
    Weights weights(int rate, long now) {
        var each = new double[size];
        double outdated = rate == ForgettingRate.EVERYTHING ? OUTDATED_ALIKE : OUTDATED;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            long start = starts[(oldest + i) % logs.length];
            each[i] = ForgettingRate.weight(rate, (now - start) / 1e6);
            each[i] *= driftDetector.isBefore(start) ? outdated : 1;
            each[i] *= isKnown(i, now) ? 1 : 0;
            sum += each[i];
        }
        double squares = 0;
        for (int i = 0; i < size; i++) {
            each[i] = each[i] == 0 ? 0 : (1 - EVENLY) * each[i] / sum + EVENLY / size;
            squares += each[i] * each[i];
        }
        double runs = squares > 0 ? 1 / squares : 0;
        for (int i = 0; i < size; i++) {
            each[i] *= runs;
        }
        return new Weights(rate, each, runs, sum);
    }

    /// Whether the run had ended by then. Matters only for moments in the past.
    private boolean isKnown(int i, long now) {
        int place = (oldest + i) % logs.length;
        return now >= changed || starts[place] + StrictMath.exp(logs[place]) * 1e6 <= now;
    }

    /// Adds the runs to the samples as if they had had these traits, with `factor` times their
    /// weight.
    void into(
            WeightedSamples weightedSamples,
            Weights weights,
            double factor,
            double shift,
            double[] slopes,
            float[] wanted) {
        for (int i = 0; i < size; i++) {
            if (weights.each[i] == 0) {
                continue;
            }
            int place = (oldest + i) % logs.length;
            double moved =
                    NumericFeatures.shift(slopes, wanted, traits, place * NumericFeatures.COUNT);
            weightedSamples.add(logs[place] + moved + shift, factor * weights.each[i], false);
        }
    }

    /// Mean and variance of the logarithms, as if all runs had had these traits.
    ///
    /// @param runs the effective number of independent runs
    record Summary(double mean, double variance, double runs) {}

    Summary summary(int rate, double[] slopes, float[] wanted) {
        Weights weights = weights(rate, changed);
        double mean = 0;
        double squares = 0;
        for (int i = 0; i < size; i++) {
            int place = (oldest + i) % logs.length;
            double log =
                    logs[place]
                            + NumericFeatures.shift(
                                    slopes, wanted, traits, place * NumericFeatures.COUNT);
            double part = weights.each[i] / weights.runs;
            mean += part * log;
            squares += part * log * log;
        }
        return new Summary(mean, Math.max(0, squares - mean * mean), weights.runs);
    }

    ModelImage.Past image() {
        var runs = new ArrayList<ModelImage.Run>(size);
        for (int i = 0; i < size; i++) {
            int place = (oldest + i) % logs.length;
            int at = place * NumericFeatures.COUNT;
            runs.add(
                    new ModelImage.Run(
                            logs[place],
                            starts[place],
                            traits[at],
                            traits[at + 1],
                            traits[at + 2],
                            traits[at + 3]));
        }
        return new ModelImage.Past(
                key.kind(),
                key.gpu(),
                runs,
                count,
                changed,
                examined,
                borrowed,
                forgettingRate.image(),
                driftDetector.image());
    }

    static RunHistory restored(ModelImage.Past image) {
        var runHistory =
                new RunHistory(
                        new Profile.Key(image.kind(), image.gpu()),
                        ForgettingRate.restored(image.lost(), KEEP),
                        DriftDetector.restored(image.drift()));
        for (ModelImage.Run run : image.runs()) {
            runHistory.add(
                    run.log(),
                    run.start(),
                    new float[] {run.gpus(), run.memory(), run.parameters(), run.batch()});
        }
        runHistory.count = image.count();
        runHistory.changed = image.changed();
        runHistory.examined = image.examined();
        runHistory.borrowed = image.borrowed();
        return runHistory;
    }
}

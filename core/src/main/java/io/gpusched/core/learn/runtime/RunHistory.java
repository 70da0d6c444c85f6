package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.LearnedRuns;

import java.util.ArrayList;
import java.util.Arrays;

/// The last runs of one kind on one GPU model, and how its past is best used.
///
/// Sums run over the runs from the oldest to the newest, whatever their places in the ring, so that
/// a restored past gives the same figures to the last bit.
final class RunHistory {
    /// More are not looked at; the oldest goes.
    static final int MOST = 256;

    private static final int FIRST = 8;

    /// So much of the weight goes to all runs alike, that no mode of work is quite forgotten.
    private static final double EVENLY = 0.03;

    /// What runs from before a change still weigh, and what they weigh where all runs are alike:
    /// the ways that forget anyway need less of a push.
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

    /// When a forecast was last made to be compared with what came.
    long examined;

    /// Whether the runs are runs beside neighbours, made shorter: there were no others yet.
    boolean borrowed;

    /// Rises with every change.
    private long version;

    RunHistory(Profile.Key key) {
        this(key, new ForgettingRate(KEEP), new DriftDetector());
    }

    /// An empty one of work that has changed so.
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

    /// Only ever full rings grow, and those of less than the most have not turned yet.
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

    /// What the runs weigh at a moment, and what a run that goes on weighs beside them.
    /// `runs` is as how many independent runs they count together.
    static final class Weights {
        final double runs;
        private final int way;
        private final double[] each;
        private final double sum;

        private Weights(int way, double[] each, double runs, double sum) {
            this.way = way;
            this.each = each;
            this.runs = runs;
            this.sum = sum;
        }

        double of(double age) {
            if (runs == 0) {
                return 0.5;
            }
            double share =
                    (1 - EVENLY) * ForgettingRate.weight(way, age) / sum + EVENLY / each.length;
            return runs * share;
        }
    }

    /// Oldest first; they add up to the number of independent runs that they are worth. A moment in
    /// the past sees only what had ended by then.
    Weights weights(int way, long now) {
        var each = new double[size];
        double outdated = way == ForgettingRate.EVERYTHING ? OUTDATED_ALIKE : OUTDATED;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            long start = starts[(oldest + i) % logs.length];
            each[i] = ForgettingRate.weight(way, (now - start) / 1e6);
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
        return new Weights(way, each, runs, sum);
    }

    /// Whether the run had ended by then. Only who looks back needs to ask.
    private boolean isKnown(int i, long now) {
        int place = (oldest + i) % logs.length;
        return now >= changed || starts[place] + StrictMath.exp(logs[place]) * 1e6 <= now;
    }

    /// Puts the runs into the atoms as if they had had these traits, `factor` of what they weigh.
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
    /// @param runs as how many independent runs they count
    record Summary(double mean, double variance, double runs) {}

    Summary summary(int way, double[] slopes, float[] wanted) {
        Weights weights = weights(way, changed);
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

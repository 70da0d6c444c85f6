package io.gpusched.core.learn.runtime;

import io.gpusched.core.learn.runtime.RunHistory.Summary;
import io.gpusched.core.learn.runtime.RunHistory.Weights;
import io.gpusched.core.learn.runtime.RunsInProgress.Going;
import io.gpusched.core.model.LearnedRuns;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Learned runtimes at several levels, from specific to general. A general level is the prior of
/// the more specific one:
///
///     the kind on this GPU model ◄ the kind on others ◄ its family ◄ everything
///
/// Each level up counts as a run or two, so it decides when nothing else is known and fades as runs
/// are added. On the way down, runtimes are translated between GPU models ([GpuSpeedRatios]) and
/// between traits ([RidgeRegression]).
final class PriorHierarchy {
    /// The number of runs that each level counts as.
    private static final double FROM_KIND = 2;

    private static final double FROM_FAMILY = 0.3;
    private static final double FROM_ALL = 0.3;

    /// At most this many runs in progress are used, the newest first.
    private static final int MOST_GOING = RunHistory.MOST;

    private static final int MOST_SIBLINGS = 8;
    private static final int MOST_PASTS = 4096;
    private static final int MOST_RUNS = 1 << 18;
    private static final int MOST_FAMILIES = 1024;

    private static final double[] FLAT = new double[NumericFeatures.COUNT];

    /// How much kinds differ in the effect of a GPU model.
    private static final double PARTICULAR = 0.05;

    /// One kind of work, on all GPU models.
    private static final class Kind {
        final TreeMap<String, RunHistory> pasts = new TreeMap<>();
        RidgeRegression ridgeRegression = new RidgeRegression();
    }

    private final SequencedMap<Profile.Key, RunHistory> pasts = new LinkedHashMap<>();
    private final TreeMap<String, Kind> kinds = new TreeMap<>();
    private final SequencedMap<String, RuntimeSpread> families = new LinkedHashMap<>();
    private final GpuSpeedRatios gpuSpeedRatios = new GpuSpeedRatios();
    private final WeightedSamples weightedSamples = new WeightedSamples();
    private RuntimeSpread all = RuntimeSpread.vague(20_000);
    private RidgeRegression within = new RidgeRegression();
    private RidgeRegression between = new RidgeRegression();
    private ForgettingRate forgettingRate = new ForgettingRate(0.9995);
    private int runs;

    /// The history of the kind on the GPU model, created empty if there is none.
    RunHistory past(Profile.Key key) {
        RunHistory runHistory = pasts.get(key);
        if (runHistory == null) {
            runHistory = new RunHistory(key);
            put(runHistory);
            forget();
        }
        return runHistory;
    }

    private void put(RunHistory runHistory) {
        pasts.put(runHistory.key, runHistory);
        kinds.computeIfAbsent(runHistory.key.kind(), kind -> new Kind())
                .pasts
                .put(runHistory.key.gpu(), runHistory);
        runs += runHistory.size();
    }

    private void forget() {
        while (pasts.size() > MOST_PASTS || runs > MOST_RUNS) {
            RunHistory oldest = pasts.pollFirstEntry().getValue();
            runs -= oldest.size();
            Kind kind = kinds.get(oldest.key.kind());
            if (kind != null) {
                kind.pasts.remove(oldest.key.gpu());
                if (kind.pasts.isEmpty()) {
                    kinds.remove(oldest.key.kind());
                }
            }
        }
    }

    @Nullable RunHistory known(Profile.Key key) {
        return pasts.get(key);
    }

    Collection<RunHistory> pasts() {
        return pasts.values();
    }

    ForgettingRate forgettingRate() {
        return forgettingRate;
    }

    /// The best forgetting rate for the history of the kind.
    int rate(@Nullable RunHistory runHistory) {
        return runHistory == null
                ? ForgettingRate.EVERYTHING
                : runHistory.forgettingRate.best(forgettingRate);
    }

    /// Removes its runs, and nothing else.
    void clear(RunHistory runHistory) {
        runs -= runHistory.size();
        runHistory.clear();
    }

    /// Replaces the history by an empty one with the imported changes.
    RunHistory renewed(LearnedRuns from) {
        var key = new Profile.Key(from.kind(), from.gpuModel());
        clear(past(key));
        RunHistory next = RunHistory.after(key, from.drift());
        put(next);
        return next;
    }

    /// Adds a run that shared its GPUs with no other job.
    void learn(RunHistory runHistory, double log, long start, float[] traits, long now) {
        Kind kind = kinds.computeIfAbsent(runHistory.key.kind(), name -> new Kind());
        String gpu = runHistory.key.gpu();
        int siblings = 0;
        for (RunHistory other : kind.pasts.values()) {
            if (!other.key.equals(runHistory.key)
                    && other.size() >= 3
                    && siblings++ < MOST_SIBLINGS) {
                Summary there = other.summary(rate(other), kind.ridgeRegression.slopes(), traits);
                double noise = there.variance() * (1 + 1 / there.runs());
                gpuSpeedRatios.compared(gpu, other.key.gpu(), log - there.mean(), noise);
            }
        }
        double typical = log - gpuSpeedRatios.of(gpu).later();
        kind.ridgeRegression.add(traits, typical, within);
        within.refresh(FLAT);
        kind.ridgeRegression.refresh(within.slopes());
        between.add(traits, typical, between);
        between.refresh(FLAT);
        double plain = typical - between.shift(traits);
        all.add(plain);
        family(Profile.family(runHistory.key.kind())).add(plain);

        int before = runHistory.size();
        runHistory.add(log, start, traits);
        runHistory.changed = now;
        runs += runHistory.size() - before;
        pasts.putLast(runHistory.key, runHistory);
        forget();
    }

    private RuntimeSpread family(String name) {
        RuntimeSpread family = families.get(name);
        if (family == null) {
            family = new RuntimeSpread(2_000);
        }
        families.putLast(name, family);
        if (families.size() > MOST_FAMILIES) {
            families.pollFirstEntry();
        }
        return family;
    }

    /// The present distribution under this forgetting rate.
    RuntimeCurve curve(Profile profile, int rate, RunsInProgress runsInProgress, long now) {
        weightedSamples.clear();
        float[] traits = NumericFeatures.of(profile.features());
        Kind kind = kinds.get(profile.kind());
        RunHistory runHistory = pasts.get(profile.key());
        if (runHistory != null && kind != null) {
            own(runHistory, kind, traits, rate, runsInProgress.newestFirst(profile.key()), now);
        }
        if (kind != null) {
            siblings(kind, profile, traits, now);
        }
        double shift = gpuSpeedRatios.of(profile.gpu()).later() + between.shift(traits);
        RuntimeSpread family = families.get(Profile.family(profile.kind()));
        if (family != null) {
            family.into(weightedSamples, FROM_FAMILY, shift);
        }
        all.into(weightedSamples, FROM_ALL, shift);
        return weightedSamples.runtimeCurve();
    }

    private void own(
            RunHistory runHistory,
            Kind kind,
            float[] traits,
            int rate,
            Collection<Going> going,
            long now) {
        Weights weights = runHistory.weights(rate, now);
        runHistory.into(weightedSamples, weights, 1, 0, kind.ridgeRegression.slopes(), traits);
        int looked = 0;
        for (Going run : going) {
            if (looked++ == MOST_GOING) {
                break;
            }
            if (run.start() > now) {
                continue;
            }
            double age = Math.max(1, (now - run.start()) / 1e6);
            double moved =
                    NumericFeatures.shift(
                            kind.ridgeRegression.slopes(),
                            traits,
                            NumericFeatures.of(run.profile().features()),
                            0);
            weightedSamples.add(StrictMath.log(age) + moved, weights.of(age), true);
        }
    }

    private void siblings(Kind kind, Profile profile, float[] traits, long now) {
        int count = Math.min(MOST_SIBLINGS, others(kind, profile));
        int taken = 0;
        for (RunHistory other : kind.pasts.values()) {
            if (isOther(other, profile) && taken < count) {
                taken++;
                Weights weights = other.weights(rate(other), now);
                double factor = FROM_KIND / Math.max(FROM_KIND, weights.runs) / count;
                double shift = gpuSpeedRatios.shift(other.key.gpu(), profile.gpu());
                other.into(
                        weightedSamples,
                        weights,
                        factor,
                        shift,
                        kind.ridgeRegression.slopes(),
                        traits);
            }
        }
    }

    private static int others(Kind kind, Profile profile) {
        int count = 0;
        for (RunHistory other : kind.pasts.values()) {
            count += isOther(other, profile) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOther(RunHistory runHistory, Profile profile) {
        return runHistory.size() > 0 && !runHistory.key.gpu().equals(profile.gpu());
    }

    /// The GPU model on which most runs of the kind were seen; null when it never ran.
    @Nullable String usualGpu(String name) {
        Kind kind = kinds.get(name);
        RunHistory most = null;
        if (kind != null) {
            for (RunHistory runHistory : kind.pasts.values()) {
                boolean more = most == null || runHistory.count > most.count;
                most = runHistory.size() > 0 && more ? runHistory : most;
            }
        }
        return most == null ? null : most.key.gpu();
    }

    /// @param noise the usual variance of single runs, for kinds of which too little is known
    Belief belief(Profile profile, double noise) {
        return belief(profile, rate(pasts.get(profile.key())), noise);
    }

    /// The same with this forgetting rate for its own history.
    Belief belief(Profile profile, int rate, double noise) {
        float[] traits = NumericFeatures.of(profile.features());
        Kind kind = kinds.get(profile.kind());
        RunHistory runHistory = pasts.get(profile.key());
        Prior prior = prior(kind, profile, traits, noise);
        if (kind == null || runHistory == null || runHistory.size() == 0) {
            return new Belief(prior.mean, prior.noise, Math.sqrt(prior.variance), 0, 0);
        }
        Summary own = runHistory.summary(rate, kind.ridgeRegression.slopes(), traits);
        double variance =
                (FROM_KIND * prior.noise + own.runs() * own.variance()) / (FROM_KIND + own.runs());
        double precision = 1 / prior.variance + own.runs() / variance;
        double mean =
                (prior.mean / prior.variance + own.mean() * own.runs() / variance) / precision;
        return new Belief(mean, variance, Math.sqrt(1 / precision), own.runs(), runHistory.count);
    }

    /// The expectation of a kind on a GPU model before it ran there.
    private record Prior(double mean, double variance, double noise) {}

    private Prior prior(@Nullable Kind kind, Profile profile, float[] traits, double noise) {
        double precision = 0;
        double sum = 0;
        double spread = noise * FROM_KIND;
        double weight = FROM_KIND;
        int taken = 0;
        Kind like = kind == null ? new Kind() : kind;
        for (RunHistory other : like.pasts.values()) {
            if (isOther(other, profile) && taken++ < MOST_SIBLINGS) {
                Summary there = other.summary(rate(other), like.ridgeRegression.slopes(), traits);
                spread += there.variance() * there.runs();
                weight += there.runs();
                double doubt =
                        (there.variance() * there.runs() + noise * FROM_KIND)
                                        / (there.runs() + FROM_KIND)
                                        / there.runs()
                                + gpuSpeedRatios.variance(other.key.gpu(), profile.gpu())
                                + PARTICULAR;
                precision += 1 / doubt;
                sum +=
                        (there.mean() + gpuSpeedRatios.shift(other.key.gpu(), profile.gpu()))
                                / doubt;
            }
        }
        RuntimeSpread family = families.get(Profile.family(profile.kind()));
        RuntimeSpread above = family != null && family.total() >= 3 ? family : all;
        double doubt =
                Math.max(0.25, above.variance()) + gpuSpeedRatios.of(profile.gpu()).variance();
        double shift = gpuSpeedRatios.of(profile.gpu()).later() + between.shift(traits);
        precision += 1 / doubt;
        sum += (above.mean() + shift) / doubt;
        return new Prior(sum / precision, 1 / precision, spread / weight);
    }

    List<ModelImage.Past> pastsImage() {
        return pasts.values().stream().map(RunHistory::image).toList();
    }

    List<ModelImage.Named> slopesImage() {
        return kinds.entrySet().stream()
                .map(
                        each ->
                                new ModelImage.Named(
                                        each.getKey(), each.getValue().ridgeRegression.image()))
                .toList();
    }

    List<ModelImage.Named> familiesImage() {
        return families.entrySet().stream()
                .map(each -> new ModelImage.Named(each.getKey(), each.getValue().image()))
                .toList();
    }

    List<Double> allImage() {
        return all.image();
    }

    List<Double> withinImage() {
        return within.image();
    }

    List<Double> betweenImage() {
        return between.image();
    }

    List<ModelImage.Speed> speedsImage() {
        return gpuSpeedRatios.image();
    }

    void restore(ModelImage image) {
        image.pasts().forEach(each -> put(RunHistory.restored(each)));
        within = RidgeRegression.restored(image.within());
        between = RidgeRegression.restored(image.between());
        for (ModelImage.Named each : image.slopes()) {
            Kind kind = kinds.get(each.name());
            if (kind != null) {
                kind.ridgeRegression = RidgeRegression.restored(each.row());
            }
        }
        image.families()
                .forEach(
                        each ->
                                families.put(
                                        each.name(), RuntimeSpread.restored(each.row(), 2_000)));
        all = RuntimeSpread.restored(image.all(), 20_000);
        gpuSpeedRatios.restore(image.speeds());
        forgettingRate = ForgettingRate.restored(image.lost(), 0.9995);
    }
}

package io.gpusched.core.learn.runtime;

import io.gpusched.core.learn.runtime.RunsInProgress.Going;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// How long work takes, learned from runs as they start and end.
///
/// **The idea.** A kind's run times are whatever its recent runs were: no bell curve, because real
/// kinds have several modes and long tails. So the estimate is the runs themselves, the recent ones
/// weighing more ([ForgettingRate] learns how much more), with runs that still go on counted as "at
/// least so long" ([WeightedSamples]), and with what is known of the kind on other GPU models, of
/// its family and of everything as a few runs more ([PriorHierarchy]). What comes of the forecasts
/// is counted, and the levels are corrected so that ranges hold what they promise ([Calibration]).
/// Runs beside neighbours teach what neighbours cost ([InterferenceModel]) and nothing else.
///
/// **Cost.** Starting and ending a run takes about a microsecond, and one run per second and kind a
/// forecast to be compared with what comes, five times as much as an [#estimate], which sorts up to
/// a few hundred runs: some tens of microseconds. [#belief] is a walk over the runs, one or two.
///
/// **Rejected.** A normal or log-normal fit (ranges far too wide for kinds with modes); windows of
/// a fixed number of runs (on the Philly trace 0.38 in the median of the absolute error of the
/// logarithm for the best, against 0.28 for this).
///
/// A fold: the same calls in the same order give the same model, bit for bit, also from an [#image]
/// in between. One thread owns it.
public final class RuntimeModel {
    /// Of the way in which it learns. What was learned in another way cannot be gone on with.
    public static final int VERSION = 1;

    /// Calibrations by how many runs speak for a forecast: none of its own, a few, many.
    private static final int LEVELS = 3;

    private static final double MANY = 8;

    /// Kinds of which so many runs were seen are examined once a second.
    private static final long OFTEN = 64;

    private static final long SECOND = 1_000_000;

    private static final double SHORTEST = 1e-3;
    private static final double LONGEST = 1e9;

    private final PriorHierarchy priorHierarchy = new PriorHierarchy();
    private final RunsInProgress runsInProgress = new RunsInProgress();
    private final InterferenceModel interferenceModel = new InterferenceModel();
    private final List<Calibration> calibrations = new ArrayList<>();
    private ModelImage.Score score = ModelImage.Score.NONE;
    private long version;

    public RuntimeModel() {
        for (int level = 0; level < LEVELS; level++) {
            calibrations.add(new Calibration());
        }
    }

    /// Grows whenever anything may have changed, from 0 in each life.
    public long version() {
        return version;
    }

    /// A run begins. A job that was already running begins again.
    ///
    /// @param neighbours kinds of the work that it shares its GPUs with; empty when it has them
    ///        alone
    public void started(long job, Profile profile, List<String> neighbours, Instant at) {
        version++;
        long now = micros(at);
        RuntimeForecast runtimeForecast = neighbours.isEmpty() ? forecast(profile, now, now) : null;
        runsInProgress.began(
                new Going(job, profile, List.copyOf(neighbours), now, runtimeForecast));
    }

    /// A run came to its end, of itself. Whoever is not known is ignored.
    ///
    /// @param over when it ended
    /// @param heard when that was known, which may be later
    public void ended(long job, Instant over, Instant heard) {
        version++;
        Going run = runsInProgress.ended(job);
        if (run != null) {
            double seconds = (micros(over) - run.start()) / 1e6;
            long now = micros(heard);
            learn(
                    run.profile(),
                    run.neighbours(),
                    seconds,
                    run.start(),
                    run.runtimeForecast(),
                    now);
        }
    }

    /// A run was stopped from outside; how long it would have taken nobody knows.
    public void abandoned(long job) {
        version++;
        runsInProgress.ended(job);
    }

    /// Somebody tells of a run that has just ended. Impossible run times are ignored.
    public void observed(Profile profile, List<String> neighbours, double seconds, Instant at) {
        version++;
        if (seconds > 0 && seconds <= LONGEST) {
            long now = micros(at);
            long start = now - (long) (seconds * 1e6);
            RuntimeForecast runtimeForecast =
                    neighbours.isEmpty() ? forecast(profile, start, now) : null;
            learn(profile, neighbours, seconds, start, runtimeForecast, now);
        }
    }

    /// Takes over what was learned elsewhere, in place of what was known of the kind on the GPU
    /// model. How fast its past is best forgotten is found out anew.
    public void imported(LearnedRuns runs) {
        version++;
        RunHistory runHistory = priorHierarchy.renewed(runs);
        for (LearnedRuns.One run : runs.runs()) {
            double log = StrictMath.log(Math.clamp(run.seconds(), SHORTEST, LONGEST));
            float[] traits = NumericFeatures.of(run.features());
            priorHierarchy.learn(runHistory, log, micros(run.start()), traits, micros(runs.at()));
        }
        runHistory.count = Math.max(runHistory.size(), runs.count());
    }

    /// The same for what a neighbour does.
    public void imported(LearnedInterference pair) {
        version++;
        interferenceModel.restore(
                List.of(
                        new ModelImage.Pair(
                                pair.kind(),
                                pair.neighbour(),
                                pair.gpuModel(),
                                pair.later(),
                                pair.variance(),
                                pair.count())));
    }

    /// What [#imported] takes elsewhere, first what has not changed for longest.
    ///
    /// @param most runs of each kind and GPU model, the newest
    public List<LearnedRuns> exported(int most) {
        return priorHierarchy.pasts().stream()
                .filter(runHistory -> runHistory.size() > 0 && !runHistory.borrowed)
                .map(runHistory -> exported(runHistory.image(), most))
                .toList();
    }

    private static LearnedRuns exported(ModelImage.Past past, int most) {
        List<ModelImage.Run> runs = past.runs();
        ModelImage.Drifting drift = past.drift();
        return new LearnedRuns(
                past.kind(),
                past.gpu(),
                past.count(),
                instant(past.changed()),
                drift.changes() == 0
                        ? LearnedRuns.Drift.NONE
                        : new LearnedRuns.Drift(
                                drift.changes(),
                                instant(drift.lastNoticed()),
                                instant(drift.since())),
                runs.subList(Math.max(0, runs.size() - most), runs.size()).stream()
                        .map(
                                run ->
                                        new LearnedRuns.One(
                                                StrictMath.exp(run.log()),
                                                instant(run.start()),
                                                NumericFeatures.features(run)))
                        .toList());
    }

    private void learn(
            Profile profile,
            List<String> neighbours,
            double seconds,
            long start,
            @Nullable RuntimeForecast runtimeForecast,
            long now) {
        double log = StrictMath.log(Math.clamp(seconds, SHORTEST, LONGEST));
        RunHistory runHistory = priorHierarchy.past(profile.key());
        long changes = runHistory.driftDetector.changes();
        boolean compared =
                neighbours.isEmpty()
                        && !runHistory.borrowed
                        && interferenceModel.isOf(runHistory.key);
        double before = compared ? alone(runHistory.key).mean() : 0;
        if (!neighbours.isEmpty()) {
            log = beside(profile, neighbours, log);
            if (runHistory.size() > 0 && !runHistory.borrowed) {
                return;
            }
            runHistory.borrowed = true;
        } else if (runHistory.borrowed) {
            priorHierarchy.clear(runHistory);
            runHistory.borrowed = false;
        } else if (runtimeForecast != null) {
            settle(runHistory, runtimeForecast, log, start, now);
        }
        priorHierarchy.learn(runHistory, log, start, NumericFeatures.of(profile.features()), now);
        if (compared && runHistory.driftDetector.changes() == changes) {
            interferenceModel.betterKnown(runHistory.key, alone(runHistory.key).mean() - before);
        }
    }

    /// What runs beside neighbours are compared with. All runs alone count alike, because one that
    /// goes by the last few would wander, and what neighbours are thought to cost with it.
    private Belief alone(Profile.Key key) {
        var profile = new Profile(key.kind(), key.gpu(), Features.NONE);
        return priorHierarchy.belief(profile, ForgettingRate.EVERYTHING, score.noise());
    }

    /// Learns from a run beside neighbours, and says how long it would have taken without them.
    private double beside(Profile profile, List<String> neighbours, double log) {
        RunHistory runHistory = priorHierarchy.past(profile.key());
        Belief alone = priorHierarchy.belief(profile, ForgettingRate.EVERYTHING, score.noise());
        if (runHistory.size() > 0 && !runHistory.borrowed) {
            double doubt = alone.variance() + alone.epistemic() * alone.epistemic();
            interferenceModel.ended(
                    profile.kind(), neighbours, profile.gpu(), log - alone.mean(), doubt);
        }
        return log - interferenceModel.together(profile.kind(), neighbours, profile.gpu()).later();
    }

    /// Compares what was said when the run began with what came.
    private void settle(
            RunHistory runHistory,
            RuntimeForecast runtimeForecast,
            double log,
            long start,
            long now) {
        calibrations.get(runtimeForecast.level).ended(runtimeForecast.level(log));
        runHistory.forgettingRate.ended(runtimeForecast.said, log);
        priorHierarchy.forgettingRate().ended(runtimeForecast.said, log);
        runHistory.driftDetector.ended(runtimeForecast.deviations(log), start, now);
        double inside = runtimeForecast.holds(log) ? 1 : 0;
        double off = Math.clamp(log - runtimeForecast.said[ForgettingRate.EVERYTHING], -2, 2);
        score =
                new ModelImage.Score(
                        score.forecasts() + 1,
                        score.inside() + (long) inside,
                        score.recent() * 0.999 + inside * 0.001,
                        score.noise() * 0.999 + off * off * 0.001);
    }

    /// What was to be said at `start`, to be compared with what comes; null when another forecast
    /// was made a moment ago.
    private @Nullable RuntimeForecast forecast(Profile profile, long start, long now) {
        RunHistory runHistory = priorHierarchy.past(profile.key());
        if (runHistory.count >= OFTEN
                && now < runHistory.examined + SECOND
                && now >= runHistory.examined) {
            return null;
        }
        runHistory.examined = now;
        int best = priorHierarchy.way(runHistory);
        RuntimeCurve used = priorHierarchy.curve(profile, best, runsInProgress, start);
        RuntimeCurve flat = used;
        var said = new double[ForgettingRate.WAYS];
        for (int way = 0; way < ForgettingRate.WAYS; way++) {
            RuntimeCurve runtimeCurve =
                    way == best || runHistory.size() == 0
                            ? used
                            : priorHierarchy.curve(profile, way, runsInProgress, start);
            said[way] = runtimeCurve.quantile(0.5);
            flat = way == ForgettingRate.EVERYTHING ? runtimeCurve : flat;
        }
        double spread = Math.max(0.05, (flat.quantile(0.9) - flat.quantile(0.1)) / 2.56);
        int level = level(runHistory, best, start);
        return new RuntimeForecast(level, used, calibrations.get(level).map(), said, spread);
    }

    private static int level(@Nullable RunHistory runHistory, int way, long now) {
        double runs = runHistory == null ? 0 : runHistory.weights(way, now).runs;
        return runs >= MANY ? 2 : runs > 0 ? 1 : 0;
    }

    /// How long such work takes when it starts now and has its GPUs for itself.
    public RuntimeEstimate estimate(Profile profile, Instant now) {
        long at = micros(now);
        RunHistory runHistory = priorHierarchy.known(profile.key());
        int way = priorHierarchy.way(runHistory);
        return new RuntimeEstimate(
                priorHierarchy.curve(profile, way, runsInProgress, at),
                calibrations.get(level(runHistory, way, at)).map(),
                belief(profile));
    }

    /// How long it takes beside these neighbours.
    public RuntimeEstimate estimate(Profile profile, List<String> neighbours, Instant now) {
        RuntimeEstimate alone = estimate(profile, now);
        return neighbours.isEmpty()
                ? alone
                : alone.slowed(slowdown(profile.kind(), neighbours, profile.gpu()).factor());
    }

    /// The seconds that a run which has gone on for `elapsed` still needs, see
    /// [RuntimeEstimate#remaining].
    public double remaining(Profile profile, double elapsed, double p, Instant now) {
        return estimate(profile, now).remaining(elapsed, p);
    }

    /// The GPU model on which most runs of the kind were seen; null when it never ran. Where it is
    /// not null there is something to say of the kind on other models too.
    public @Nullable String usualGpu(String kind) {
        return priorHierarchy.usualGpu(kind);
    }

    /// The same in a few figures, for whoever asks for many.
    public Belief belief(Profile profile) {
        return priorHierarchy.belief(profile, score.noise());
    }

    /// What neighbours of these kinds do to work of a kind on a GPU model.
    public Slowdown slowdown(String kind, List<String> neighbours, String gpu) {
        return interferenceModel.together(kind, neighbours, gpu);
    }

    /// What has been learned of one kind on one GPU model.
    ///
    /// @param changes how often the work was found to have changed
    /// @param lastNoticed when that was last noticed; the epoch when never
    public record Learned(
            String kind,
            String gpu,
            Belief belief,
            Instant changed,
            long changes,
            Instant lastNoticed) {}

    /// Everything that has been learned; first what has not changed for longest.
    public List<Learned> learned() {
        return priorHierarchy.pasts().stream()
                .filter(runHistory -> runHistory.size() > 0)
                .map(
                        runHistory ->
                                new Learned(
                                        runHistory.key.kind(),
                                        runHistory.key.gpu(),
                                        belief(
                                                new Profile(
                                                        runHistory.key.kind(),
                                                        runHistory.key.gpu(),
                                                        Features.NONE)),
                                        instant(runHistory.changed),
                                        runHistory.driftDetector.changes(),
                                        instant(runHistory.driftDetector.lastNoticed())))
                .toList();
    }

    /// The pairs of neighbours that have met, an empty GPU model standing for all of them.
    public List<ModelImage.Pair> slowdowns() {
        return interferenceModel.image();
    }

    /// Of the ranges stated lately that were to hold eight of ten, the part that did.
    public double coverage() {
        return score.recent();
    }

    /// How many forecasts have been compared with what came, and how many held it.
    public ModelImage.Score score() {
        return score;
    }

    /// How many runs are going on.
    public int going() {
        return runsInProgress.size();
    }

    public ModelImage image() {
        return new ModelImage(
                VERSION,
                priorHierarchy.pastsImage(),
                priorHierarchy.slopesImage(),
                runsInProgress.image(),
                priorHierarchy.familiesImage(),
                priorHierarchy.allImage(),
                priorHierarchy.withinImage(),
                priorHierarchy.betweenImage(),
                priorHierarchy.speedsImage(),
                interferenceModel.image(),
                calibrations.stream().map(each -> new ModelImage.Row(each.image())).toList(),
                priorHierarchy.forgettingRate().image(),
                score);
    }

    /// A model that goes on where the image was taken. One of another version is not understood:
    /// the model must be learned anew, from the journal.
    public static RuntimeModel restored(ModelImage image) {
        Check.that(
                image.version() == VERSION,
                "expected a model of version %s, found %s",
                VERSION,
                image.version());
        var model = new RuntimeModel();
        model.priorHierarchy.restore(image);
        model.runsInProgress.restore(image.going());
        model.interferenceModel.restore(image.pairs());
        for (int level = 0; level < Math.min(LEVELS, image.calibrations().size()); level++) {
            model.calibrations.set(
                    level, Calibration.restored(image.calibrations().get(level).numbers()));
        }
        model.score = image.score();
        return model;
    }

    static long micros(Instant instant) {
        return instant.getEpochSecond() * SECOND + instant.getNano() / 1000;
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, SECOND), Math.floorMod(micros, SECOND) * 1000);
    }
}

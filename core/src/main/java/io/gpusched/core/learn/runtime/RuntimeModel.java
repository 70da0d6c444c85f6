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
/// **The idea.** The runtimes of a kind are those of its recent runs: not a normal distribution,
/// because real kinds have several modes and long tails. So the estimate consists of the runs
/// themselves. Recent runs weigh more ([ForgettingRate] learns how much more), and runs in progress
/// count as "at least this long" ([WeightedSamples]). What is known of the kind on other GPU
/// models, of its family and of all work counts as a few more runs ([PriorHierarchy]). Forecasts
/// are compared with results, and the levels are corrected so that ranges hold as stated
/// ([Calibration]). Runs beside neighbours teach only how much neighbours slow the work down
/// ([InterferenceModel]).
///
/// **Cost.** Starting and ending a run takes about a microsecond. One run per second and kind also
/// makes a forecast for comparison, five times as expensive as an [#estimate], which sorts up to a
/// few hundred runs: some tens of microseconds. [#belief] is a walk over the runs, one or two.
///
/// **Rejected.** A normal or log-normal fit (ranges far too wide for kinds with modes); windows of
/// a fixed number of runs (on the Philly trace the best one has 0.38 in the median of the absolute
/// error of the logarithm, against 0.28 for this).
///
/// The model is a fold: the same calls in the same order give the same model, bit for bit, also
/// from an [#image] in between. One thread owns it.
public final class RuntimeModel {
    /// Version of the learning algorithm. A model cannot continue from an image of another version.
    public static final int VERSION = 1;

    /// Calibrations by how many runs a forecast is based on: none of its own, a few, many.
    private static final int LEVELS = 3;

    private static final double MANY = 8;

    /// Kinds with this many runs are examined once a second.
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

    /// Increases whenever anything may have changed; starts from 0 in each process.
    public long version() {
        return version;
    }

    /// A run starts. A job that was already running starts again.
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

    /// A run ended by itself. An unknown job is ignored.
    ///
    /// @param over when it ended
    /// @param reported when the scheduler learned that it had ended, which may be later
    public void ended(long job, Instant over, Instant reported) {
        version++;
        Going run = runsInProgress.ended(job);
        if (run != null) {
            double seconds = (micros(over) - run.start()) / 1e6;
            long now = micros(reported);
            learn(
                    run.profile(),
                    run.neighbours(),
                    seconds,
                    run.start(),
                    run.runtimeForecast(),
                    now);
        }
    }

    /// The scheduler stopped a run; how long it would have taken is unknown.
    public void abandoned(long job) {
        version++;
        runsInProgress.ended(job);
    }

    /// Learns from a reported run that has just ended. Impossible runtimes are ignored.
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

    /// Imports runs learned by another scheduler. They replace what was known of the kind on the
    /// GPU model. Its forgetting rate is learned anew.
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

    /// Imports the effect of a neighbour.
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

    /// The runs for [#imported], the longest unchanged first.
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

    /// The expectation with which runs beside neighbours are compared. All runs alone count
    /// equally: an expectation from the last few runs would wander, and the learned slowdowns with
    /// it.
    private Belief alone(Profile.Key key) {
        var profile = new Profile(key.kind(), key.gpu(), Features.NONE);
        return priorHierarchy.belief(profile, ForgettingRate.EVERYTHING, score.noise());
    }

    /// Learns from a run beside neighbours, and returns how long it would have taken without them.
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

    /// Compares the forecast made when the run started with the result.
    private void settle(
            RunHistory runHistory,
            RuntimeForecast runtimeForecast,
            double log,
            long start,
            long now) {
        calibrations.get(runtimeForecast.level).ended(runtimeForecast.level(log));
        runHistory.forgettingRate.ended(runtimeForecast.predictions, log);
        priorHierarchy.forgettingRate().ended(runtimeForecast.predictions, log);
        runHistory.driftDetector.ended(runtimeForecast.deviations(log), start, now);
        double inside = runtimeForecast.holds(log) ? 1 : 0;
        double off =
                Math.clamp(log - runtimeForecast.predictions[ForgettingRate.EVERYTHING], -2, 2);
        score =
                new ModelImage.Score(
                        score.forecasts() + 1,
                        score.inside() + (long) inside,
                        score.recent() * 0.999 + inside * 0.001,
                        score.noise() * 0.999 + off * off * 0.001);
    }

    /// The forecast at `start`, for comparison with the result; null when another forecast was made
    /// a moment ago.
    private @Nullable RuntimeForecast forecast(Profile profile, long start, long now) {
        RunHistory runHistory = priorHierarchy.past(profile.key());
        if (runHistory.count >= OFTEN
                && now < runHistory.examined + SECOND
                && now >= runHistory.examined) {
            return null;
        }
        runHistory.examined = now;
        int best = priorHierarchy.rate(runHistory);
        RuntimeCurve used = priorHierarchy.curve(profile, best, runsInProgress, start);
        RuntimeCurve flat = used;
        var predictions = new double[ForgettingRate.RATES];
        for (int rate = 0; rate < ForgettingRate.RATES; rate++) {
            RuntimeCurve runtimeCurve =
                    rate == best || runHistory.size() == 0
                            ? used
                            : priorHierarchy.curve(profile, rate, runsInProgress, start);
            predictions[rate] = runtimeCurve.quantile(0.5);
            flat = rate == ForgettingRate.EVERYTHING ? runtimeCurve : flat;
        }
        double spread = Math.max(0.05, (flat.quantile(0.9) - flat.quantile(0.1)) / 2.56);
        int level = level(runHistory, best, start);
        return new RuntimeForecast(level, used, calibrations.get(level).map(), predictions, spread);
    }

    private static int level(@Nullable RunHistory runHistory, int rate, long now) {
        double runs = runHistory == null ? 0 : runHistory.weights(rate, now).runs;
        return runs >= MANY ? 2 : runs > 0 ? 1 : 0;
    }

    /// The runtime of such work when it starts now and shares its GPUs with no other.
    public RuntimeEstimate estimate(Profile profile, Instant now) {
        long at = micros(now);
        RunHistory runHistory = priorHierarchy.known(profile.key());
        int rate = priorHierarchy.rate(runHistory);
        return new RuntimeEstimate(
                priorHierarchy.curve(profile, rate, runsInProgress, at),
                calibrations.get(level(runHistory, rate, at)).map(),
                belief(profile));
    }

    /// The runtime beside these neighbours.
    public RuntimeEstimate estimate(Profile profile, List<String> neighbours, Instant now) {
        RuntimeEstimate alone = estimate(profile, now);
        return neighbours.isEmpty()
                ? alone
                : alone.slowed(slowdown(profile.kind(), neighbours, profile.gpu()).factor());
    }

    /// The seconds that a run in progress for `elapsed` still needs, see
    /// [RuntimeEstimate#remaining].
    public double remaining(Profile profile, double elapsed, double p, Instant now) {
        return estimate(profile, now).remaining(elapsed, p);
    }

    /// The GPU model on which most runs of the kind were seen; null when it never ran. If it is not
    /// null, the model can estimate the kind on other GPU models too.
    public @Nullable String usualGpu(String kind) {
        return priorHierarchy.usualGpu(kind);
    }

    /// A short summary of the estimate, for callers that need many.
    public Belief belief(Profile profile) {
        return priorHierarchy.belief(profile, score.noise());
    }

    /// The slowdown of a kind of work by neighbours of these kinds on a GPU model.
    public Slowdown slowdown(String kind, List<String> neighbours, String gpu) {
        return interferenceModel.together(kind, neighbours, gpu);
    }

    /// What has been learned of one kind on one GPU model.
    ///
    /// @param changes how many changes of the work were detected
    /// @param lastNoticed when the last change was detected; the epoch when there was none
    public record Learned(
            String kind,
            String gpu,
            Belief belief,
            Instant changed,
            long changes,
            Instant lastNoticed) {}

    /// Everything that has been learned, the longest unchanged first.
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

    /// The pairs of neighbours that have met; an empty GPU model stands for all of them.
    public List<ModelImage.Pair> slowdowns() {
        return interferenceModel.image();
    }

    /// The fraction of recent runs that ended in their 80 % range.
    public double coverage() {
        return score.recent();
    }

    /// How many forecasts have been compared with results, and how many ranges held.
    public ModelImage.Score score() {
        return score;
    }

    /// The number of runs in progress.
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

    /// A model that continues from the image. An image of another version is refused: the model
    /// must be learned anew, from the journal.
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

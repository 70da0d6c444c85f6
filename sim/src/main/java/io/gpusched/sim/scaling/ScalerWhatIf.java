package io.gpusched.sim.scaling;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.whatif.History;
import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.sim.whatif.SchedulerConfig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Answers what other laws would have done with the recorded load of a pool.
///
///     journal ──▶ PoolRecord ──▶ requests, speed, load time, room ──▶ the recorded law ──▶ check
///                                                              └────▶ each other law
///
/// Load was only reported about the recorded replicas, so the requests and the replicas are made
/// again from the reports, and every law runs on the production core with simulated replicas. The
/// recorded law runs too: how far it is from what was recorded tells how far the rest can be
/// trusted.
public final class ScalerWhatIf {
    /// A law decides by minutes of load; less history says nothing about it.
    static final Duration LEAST_SPAN = Duration.ofMinutes(5);

    static final int LEAST_REQUESTS = 30;

    /// Receives progress. What it throws ends the computation.
    public interface Watcher {
        Watcher NONE =
                new Watcher() {
                    @Override
                    public void read(long batch, long kept) {}

                    @Override
                    public void runs(String law, double part) {}
                };

        /// @param batch the number of the one read last
        /// @param kept reports of load that are kept, replicas that they tell of, and requests; a
        ///        hundred bytes each
        void read(long batch, long kept);

        /// @param law the one that runs
        /// @param part of its span, from 0 to 1
        void runs(String law, double part);
    }

    private final History history;
    private final PastEngine past;
    private final ScalerQuestion question;
    private final Watcher watcher;

    /// @param begin the ledger from which the history is read; null for its beginning
    public ScalerWhatIf(
            History history,
            @Nullable Engine begin,
            SchedulerConfig.Known configs,
            ScalerQuestion question,
            Watcher watcher) {
        this.history = history;
        this.past = new PastEngine(configs, begin);
        this.question = question;
        this.watcher = watcher;
    }

    /// Throws [InvalidWhatIf] if there is no law of that name.
    ///
    /// @param plugged laws of plug-ins
    public static void checkLaw(String name, List<Scaler> plugged) {
        LawChoice.check(name, plugged);
    }

    /// Throws [InvalidWhatIf] if there is no answer.
    public ScalerWhatIfResult answer() {
        PoolRecord record = read();
        List<ServingRequest> requests = RequestReconstruction.of(record.reports(), record.from());
        check(record, requests);
        ReplicaSpeed speed = ReplicaSpeed.of(observed(record), record.reports());
        var known = new LawChoice.Known(record.laws(), requests, record.from(), speed.cost());
        Pool tried = question.tried();
        Slo measure = tried == null || tried.slo().isNone() ? record.pool().slo() : tried.slo();
        var choices = new ArrayList<LawChoice>();
        for (String law : question.laws()) {
            choices.add(LawChoice.named(law, known));
        }
        if (tried != null && choices.isEmpty()) {
            choices.add(LawChoice.ofDocument(tried, record));
        }
        // Before anything runs.
        choices.forEach(choice -> choice.on(tried == null ? record.pool() : tried));
        var run = new LawRun(record, requests, speed.cost());
        LawChoice recorded = LawChoice.recorded(record);
        LawFigures replayed = run.run(recorded, null, measure, watch(record, recorded.name()));
        Slo own = record.pool().slo();
        LawFigures checked =
                own.equals(measure)
                        ? replayed
                        : run.run(recorded, null, own, watch(record, recorded.name()));
        double covered = covered(record);
        ModelCheck check = ModelCheck.of(record, checked, speed, covered);
        var others = new ArrayList<LawFigures>();
        for (LawChoice choice : choices) {
            others.add(run.run(choice, tried, measure, watch(record, choice.name())));
        }
        return new ScalerWhatIfResult(
                record,
                measure,
                requests.size(),
                RequestReconstruction.meanPrompt(record.reports()),
                RequestReconstruction.meanOutput(record.reports()),
                covered,
                speed,
                replayed,
                others,
                check);
    }

    private PoolRecord read() {
        Pool tried = question.tried();
        var recorder =
                new PoolRecorder(
                        question.pool(), question.since(), tried == null ? 0 : tried.max());
        history.read(past.lastBatch(), batch -> next(batch, recorder));
        Engine end = past.engine();
        if (end == null) {
            throw new InvalidWhatIf("expected a journal with at least one batch, found none");
        }
        return recorder.record(end);
    }

    private void next(Batch batch, PoolRecorder recorder) {
        Engine engine = past.before(batch);
        recorder.before(batch, engine);
        engine.apply(batch);
        recorder.after(batch, engine);
        watcher.read(batch.number(), recorder.kept());
    }

    private static void check(PoolRecord record, List<ServingRequest> requests) {
        Duration span = Duration.between(record.from(), record.to());
        if (span.compareTo(LEAST_SPAN) < 0 || requests.size() < LEAST_REQUESTS) {
            throw new InvalidWhatIf(
                    "pool %s: expected reports of at least %d minutes and %d requests, found %d s and %d requests since %s; let the pool serve longer, or choose an earlier beginning"
                            .formatted(
                                    record.pool().id(),
                                    LEAST_SPAN.toMinutes(),
                                    LEAST_REQUESTS,
                                    span.toSeconds(),
                                    requests.size(),
                                    record.from()));
        }
    }

    /// The reports as the law in force took them in.
    private static LoadHistory observed(PoolRecord record) {
        var observed = new LoadHistory();
        record.before().forEach(sample -> observed.add(sample.at(), sample.load()));
        record.reports().forEach(sample -> observed.add(sample.at(), sample.load()));
        return observed;
    }

    /// The part of the seconds of the span that a report tells about.
    private static double covered(PoolRecord record) {
        int span = (int) Duration.between(record.from(), record.to()).toSeconds();
        var seconds = new BitSet(span);
        for (LoadHistory.Sample sample : record.reports()) {
            int to = second(record, sample.at());
            int from = second(record, sample.at().minus(sample.load().over()));
            // A report may come a second late.
            seconds.set(Math.max(0, from - 1), Math.max(0, to + 1));
        }
        return span == 0 ? 0 : Math.min(1, (double) seconds.get(0, span).cardinality() / span);
    }

    private static int second(PoolRecord record, Instant at) {
        return (int) Math.max(0, Duration.between(record.from(), at).toSeconds());
    }

    private PoolRun.Watcher watch(PoolRecord record, String law) {
        double span = Duration.between(record.from(), record.to()).toMillis() / 1000.0;
        return seconds -> watcher.runs(law, Math.min(1, seconds / span));
    }
}

package io.gpusched.server.http;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Command;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ObservationTable;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.wire.request.ModelRequest;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// `/api/v1/model`: exports and imports the learned runtime model. An export can be imported
/// unchanged.
final class ModelHandlers {
    /// Largest number of runs that are kept per pair of job and GPU.
    private static final int MOST_RUNS = 256;

    /// What the handler copies from the follower. The rest is computed on the request's own thread.
    private record Copied(
            long retention,
            List<LearnedRuntime> pairs,
            List<LearnedSlowdown> slowdowns,
            ModelCopies.Copy model) {}

    private final Follower follower;
    private final ModelCopies copies;
    private final ScoreService scores;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;
    private @Nullable ModelSummary card;

    ModelHandlers(
            Follower follower,
            ModelCopies copies,
            ScoreService scores,
            RequestBodies requestBodies,
            CommandSender commandSender) {
        this.follower = follower;
        this.copies = copies;
        this.scores = scores;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
    }

    /// Shows the model, newest pairs first.
    Response show(Request request) {
        String kind = request.query("job_type");
        int runs = (int) request.number("runs", 0, 0, MOST_RUNS);
        Copied learned = follower.ask(this::copied);
        ModelSummary model = card(learned.model);
        Map<String, LearnedRuns> exported = runs == 0 ? Map.of() : model.runs(runs);
        var out = new JsonOutput(1 << 12).object();
        counts(scores.explorationCounts(), scores.settings(), out);
        out.field("retention", learned.retention());
        out.name("pairs").array();
        for (LearnedRuntime pair : learned.pairs().reversed()) {
            if (kind.isEmpty() || kind.equals(pair.kind())) {
                write(pair, out);
            }
        }
        out.endArray().name("slowdowns").array();
        for (LearnedSlowdown slowdown : learned.slowdowns().reversed()) {
            if (kind.isEmpty() || kind.equals(slowdown.kind())) {
                write(slowdown, out);
            }
        }
        out.endArray().name("run_times").array();
        for (RuntimeModel.Learned one : model.runTimes().reversed()) {
            if (kind.isEmpty() || kind.equals(one.kind())) {
                write(one, exported.get(ModelSummary.pair(one.kind(), one.gpu())), out);
            }
        }
        out.endArray().name("interference").array();
        for (ModelImage.Pair pair : model.interference().reversed()) {
            if (kind.isEmpty() || kind.equals(pair.kind())) {
                write(pair, out);
            }
        }
        out.endArray().field("forecasts", model.forecasts());
        out.field("coverage", model.forecasts() == 0 ? Double.NaN : model.coverage());
        return Response.ok(out.endObject());
    }

    private Copied copied(Engine engine) {
        ObservationTable book = engine.learner().book();
        return new Copied(book.retention(), book.pairs(), book.slowdowns(), copies.of(engine));
    }

    private synchronized ModelSummary card(ModelCopies.Copy copy) {
        ModelSummary known = card;
        if (known == null || known.version() != copy.version()) {
            known = new ModelSummary(copy);
            card = known;
        }
        return known;
    }

    /// The learned run time of a kind of job: the typical time, its uncertainty, and whether a
    /// change of the work was detected.
    private static void write(
            RuntimeModel.Learned one, @Nullable LearnedRuns learnedRuns, JsonOutput out) {
        out.object().field("job_type", one.kind()).field("gpu_type", one.gpu());
        out.field("estimate_s", one.belief().typicalSeconds());
        out.field("uncertainty_s", one.belief().uncertainSeconds());
        out.field("samples", one.belief().samples()).field("last_change", one.changed());
        out.field("drifts", one.changes());
        out.field("last_drift", one.changes() == 0 ? null : one.lastNoticed());
        if (learnedRuns != null && !learnedRuns.runs().isEmpty()) {
            write(learnedRuns, out);
        }
        out.endObject();
    }

    private static void write(LearnedRuns learnedRuns, JsonOutput out) {
        if (learnedRuns.drift().changes() > 0) {
            out.field("drifted_since", learnedRuns.drift().since());
        }
        out.name("runs").array();
        for (LearnedRuns.One run : learnedRuns.runs()) {
            out.object().name("seconds").exactly(run.seconds()).field("started", run.start());
            Features features = run.features();
            known("gpu_count", features.gpus(), out);
            known("gpu_mem_gb", features.memoryGb(), out);
            known("model_params_m", features.millionParameters(), out);
            known("batch_size", features.batchSize(), out);
            out.endObject();
        }
        out.endArray();
    }

    private static void known(String name, double value, JsonOutput out) {
        if (value > 0 && value == Math.rint(value) && value < 1e15) {
            out.field(name, (long) value);
        } else if (value > 0) {
            out.name(name).exactly(value);
        }
    }

    /// The slowdown of a kind of job beside a neighbour on a GPU model; an empty name stands for
    /// all.
    private static void write(ModelImage.Pair pair, JsonOutput out) {
        out.object().field("job_type", pair.kind()).field("neighbour", pair.neighbour());
        out.field("gpu_type", pair.gpu()).field("factor", Math.exp(pair.later()));
        out.field("uncertainty", Math.expm1(Math.sqrt(pair.variance())));
        out.field("samples", pair.runs());
        out.name("log_factor").exactly(pair.later());
        out.name("log_variance").exactly(pair.variance()).endObject();
    }

    private static void counts(
            ExplorationCounts explorationCounts, ScoreSettings settings, JsonOutput out) {
        out.name("decisions").object().field("total", explorationCounts.total());
        out.field("explored", explorationCounts.explored())
                .field("ratio", explorationCounts.ratio());
        out.field("cap", settings.cap()).endObject();
    }

    private static void write(LearnedRuntime pair, JsonOutput out) {
        RuntimeAverages best = pair.alone().count() > 0 ? pair.alone() : pair.together();
        out.object().field("job_type", pair.kind()).field("gpu_type", pair.gpuModel());
        out.field("estimate_s", best.mean());
        out.field("uncertainty_s", Math.sqrt(best.varianceOfMean()));
        out.field("samples", pair.alone().count() + pair.together().count());
        out.field("last_change", pair.at());
        write("alone", pair.alone(), out);
        write("together", pair.together(), out);
        out.endObject();
    }

    private static void write(String name, RuntimeAverages times, JsonOutput out) {
        if (times.count() == 0) {
            return;
        }
        out.name(name).object().name("mean").exactly(times.mean());
        out.name("variance").exactly(times.variance()).field("samples", times.count());
        out.endObject();
    }

    private static void write(LearnedSlowdown slowdown, JsonOutput out) {
        out.object().field("job_type", slowdown.kind()).field("neighbour", slowdown.neighbour());
        out.name("slowdown").exactly(slowdown.part()).field("samples", slowdown.count());
        out.field("last_change", slowdown.at()).endObject();
    }

    /// Imports the pairs in reverse order, oldest first: the export lists the newest first, and
    /// those must be kept longest.
    Response take(Request request) {
        return switch (ModelRequest.read(requestBodies.object(request))) {
            case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
            case Parsed.Valid(var valid, var warnings) -> {
                commandSender.run(
                        new Command.Import(
                                valid.pairs().reversed().stream().map(this::known).toList(),
                                valid.slowdowns().reversed(),
                                valid.runs().reversed(),
                                valid.interference().reversed(),
                                request.caller().label()));
                var out = new JsonOutput().object().field("pairs", valid.pairs().size());
                out.field("slowdowns", valid.slowdowns().size());
                out.field("run_times", valid.runs().size());
                out.field("interference", valid.interference().size());
                RequestBodies.warnings(warnings, out);
                yield Response.ok(out.endObject());
            }
        };
    }

    /// The pair with the canonical name of its GPU model.
    private LearnedRuntime known(LearnedRuntime pair) {
        return new LearnedRuntime(
                pair.kind(),
                scores.gpuModel(pair.gpuModel()),
                pair.alone(),
                pair.together(),
                pair.at());
    }
}

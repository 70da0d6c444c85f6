package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.Tally;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RunTimes;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.learn.ScoreDesk;
import io.gpusched.wire.request.ModelRequest;

import java.util.List;

/// `/api/v1/model`: what has been learned, and putting it in elsewhere. What is shown can be sent
/// back as it is.
final class ModelPages {
    /// @param coverage of the ranges stated lately that were to hold eight of ten, the part that
    ///        did
    private record Card(
            long retention,
            List<LearnedRuntime> pairs,
            List<LearnedSlowdown> slowdowns,
            List<RuntimeModel.Learned> runTimes,
            double coverage) {
        static Card of(Learner learner) {
            return new Card(
                    learner.book().retention(),
                    learner.book().pairs(),
                    learner.book().slowdowns(),
                    learner.model().learned(),
                    learner.model().coverage());
        }
    }

    private final Follower follower;
    private final ScoreDesk desk;
    private final Bodies bodies;
    private final Commands commands;

    ModelPages(Follower follower, ScoreDesk desk, Bodies bodies, Commands commands) {
        this.follower = follower;
        this.desk = desk;
        this.bodies = bodies;
        this.commands = commands;
    }

    /// Newest first.
    Reply show(Asked asked) {
        String kind = asked.query("job_type");
        Card learned = follower.ask(engine -> Card.of(engine.learner()));
        var out = new JsonOut(1 << 12).object();
        counts(desk.tally(), desk.settings(), out);
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
        for (RuntimeModel.Learned one : learned.runTimes().reversed()) {
            if (kind.isEmpty() || kind.equals(one.kind())) {
                write(one, out);
            }
        }
        out.endArray().field("coverage", learned.coverage());
        return Reply.ok(out.endObject());
    }

    /// What the scheduler's own jobs and observations taught about run times: the typical time, how
    /// far off that may be, and whether the work was found to have changed.
    private static void write(RuntimeModel.Learned one, JsonOut out) {
        out.object().field("job_type", one.kind()).field("gpu_type", one.gpu());
        out.field("estimate_s", one.belief().typicalSeconds());
        out.field("uncertainty_s", one.belief().uncertainSeconds());
        out.field("samples", one.belief().samples()).field("last_change", one.changed());
        out.field("drifts", one.changes());
        out.field("last_drift", one.changes() == 0 ? null : one.lastNoticed());
        out.endObject();
    }

    private static void counts(Tally tally, ScoreSettings settings, JsonOut out) {
        out.name("decisions").object().field("total", tally.total());
        out.field("explored", tally.explored()).field("ratio", tally.ratio());
        out.field("cap", settings.cap()).endObject();
    }

    private static void write(LearnedRuntime pair, JsonOut out) {
        RunTimes best = pair.alone().count() > 0 ? pair.alone() : pair.together();
        out.object().field("job_type", pair.kind()).field("gpu_type", pair.gpuModel());
        out.field("estimate_s", best.mean());
        out.field("uncertainty_s", Math.sqrt(best.varianceOfMean()));
        out.field("samples", pair.alone().count() + pair.together().count());
        out.field("last_change", pair.at());
        write("alone", pair.alone(), out);
        write("together", pair.together(), out);
        out.endObject();
    }

    private static void write(String name, RunTimes times, JsonOut out) {
        if (times.count() == 0) {
            return;
        }
        out.name(name).object().name("mean").exactly(times.mean());
        out.name("variance").exactly(times.variance()).field("samples", times.count());
        out.endObject();
    }

    private static void write(LearnedSlowdown slowdown, JsonOut out) {
        out.object().field("job_type", slowdown.kind()).field("neighbour", slowdown.neighbour());
        out.name("slowdown").exactly(slowdown.part()).field("samples", slowdown.count());
        out.field("last_change", slowdown.at()).endObject();
    }

    /// Oldest first into the book, because those shown first are kept longest.
    Reply take(Asked asked) {
        return switch (ModelRequest.read(bodies.object(asked))) {
            case ModelRequest.Result.Invalid invalid -> throw Fault.of(invalid.problems());
            case ModelRequest.Result.Valid valid -> {
                commands.run(
                        new Command.Import(
                                valid.pairs().reversed(),
                                valid.slowdowns().reversed(),
                                asked.caller().label()));
                yield Reply.ok(
                        new JsonOut()
                                .object()
                                .field("pairs", valid.pairs().size())
                                .field("slowdowns", valid.slowdowns().size())
                                .endObject());
            }
        };
    }
}

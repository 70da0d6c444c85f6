package io.gpusched.sim.whatif;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.JobId;
import io.gpusched.core.state.StateImage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Answers a question about history.
///
/// It reads it twice. First to the end: that gives the ledger at the point asked about, how long
/// every job truly ran, and what there was to be learned. Then from that point, deciding anew.
/// Memory grows with the jobs after the point, not with the events.
public final class WhatIf {
    /// Hears how far it is, and may stop it.
    public interface Watcher {
        Watcher NOBODY = (batch, events, second) -> true;

        /// @param batch the number of the one read last
        /// @param events read so far
        /// @param second whether history is being decided anew already
        /// @return whether to go on
        boolean at(long batch, long events, boolean second);

        /// Hears what is decided anew.
        ///
        /// @param round what happened and what was decided; they are numbered from 1
        default void decided(Batch round, Conclusion conclusion) {}
    }

    /// It was stopped from outside.
    public static final class Stopped extends RuntimeException {
        Stopped() {
            super("stopped before the end");
        }
    }

    /// The ledger at the point asked about.
    private record Point(
            StateImage image,
            LearnerImage learned,
            Way way,
            Map<JobId, Duration> saved,
            Instant from) {}

    private final History history;
    private final Question question;
    private final Way.Known ways;
    private final Watcher watcher;
    private final Lives lives = new Lives();
    private @Nullable Engine past;
    private @Nullable Point point;
    private Way way = Way.DEFAULT;
    private long events;

    public WhatIf(History history, Question question, Way.Known ways, Watcher watcher) {
        this.history = history;
        this.question = question;
        this.ways = ways;
        this.watcher = watcher;
    }

    /// Throws [BadQuestion] where there is no answer, [Stopped] when the watcher had enough.
    public Verdict answer() {
        history.read(0, this::lookBack);
        Engine end = past;
        if (end == null) {
            throw new BadQuestion("expected a journal with at least one batch, found none");
        }
        Point at = point;
        if (at == null) {
            throw new BadQuestion(
                    "expected something after the point asked about, found that the journal ends"
                            + " with batch "
                            + end.lastBatch()
                            + " at "
                            + end.state().lastAt());
        }
        lives.guessBy(end.learner().model(), at.way.settings().assumedRuntime());
        return decide(at, end.state().lastAt());
    }

    private void lookBack(Batch batch) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.EngineStarted e) {
                takesCharge(ways.of(e.fingerprint()));
            }
        }
        if (past == null) {
            way.with(question.policy(), question.placer()).toPolicy(); // Before all is read.
            past = new Engine(way.toPolicy(), learning(way));
            lives.savedEvery(way.settings().policy().checkpointEvery());
        }
        if (point == null && question.isAbout(batch)) {
            // Before the first batch there was no time.
            Instant from = past.lastBatch() == 0 ? batch.at() : past.state().lastAt();
            point =
                    new Point(
                            past.image(),
                            past.learner().image(),
                            inForce(past),
                            lives.saved(),
                            from);
        }
        past.apply(batch);
        lives.note(batch);
        if (point == null) {
            forgetEnded(batch);
        }
        watch(batch, false);
    }

    /// From here on the past is folded by what this scheduler had set, such as how fast use fades.
    private void takesCharge(@Nullable Way told) {
        if (told == null || told.equals(way)) {
            return;
        }
        way = told;
        if (past != null) {
            past =
                    Engine.restore(
                            past.image(), past.learner().image(), way.toPolicy(), learning(way));
            lives.savedEvery(way.settings().policy().checkpointEvery());
        }
    }

    private static EngineSettings learning(Way way) {
        return way.settings().with(way.settings().predictions().learning());
    }

    /// The way that was really in force: a policy chosen by command is in the ledger.
    private Way inForce(Engine at) {
        String chosen = at.state().policy();
        return chosen.isEmpty() ? way : new Way(chosen, way.settings());
    }

    private void forgetEnded(Batch batch) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.JobEnded ended) {
                lives.forget(ended.job());
            }
        }
    }

    private Verdict decide(Point at, Instant end) {
        Way asked = at.way.with(question.policy(), question.placer());
        Engine engine = Engine.restore(at.image, at.learned, asked.toPolicy(), asked.settings());
        Duration every = at.way.settings().policy().checkpointEvery();
        var recorded = new Account(every);
        var otherwise = new Account(every);
        recorded.begin(engine.state());
        otherwise.begin(engine.state());
        var starts = new Starts();
        var course =
                new Course(
                        engine,
                        question,
                        at.way,
                        ways,
                        lives,
                        at.saved,
                        event -> {
                            otherwise.note(event);
                            starts.otherwise(event);
                        },
                        watcher::decided);
        long before = events;
        long[] batches = {0};
        history.read(
                at.image.batch(),
                batch -> {
                    course.follow(batch);
                    batch.facts().forEach(recorded::note);
                    batch.facts().forEach(starts::recorded);
                    batch.decided().forEach(recorded::note);
                    batch.decided().forEach(starts::recorded);
                    batches[0]++;
                    watch(batch, true);
                });
        course.finish(end);
        return new Verdict(
                at.image.batch(),
                at.from,
                end,
                at.way.policy(),
                asked.policy(),
                at.way.placer(),
                asked.placer(),
                batches[0],
                events - before,
                course.decisions(),
                course.parted(),
                course.guesses(),
                starts.summary(),
                recorded.figures(end),
                otherwise.figures(end));
    }

    private void watch(Batch batch, boolean second) {
        events += batch.size();
        if (!watcher.at(batch.number(), events, second)) {
            throw new Stopped();
        }
    }
}

package io.gpusched.sim.whatif;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Decides recorded history once more by the rules that were in force, and tells where it comes to
/// something else. The same build and settings never do; another build may, and this says where.
///
/// After a round that differs it goes on from what was recorded, so that one difference does not
/// hide the next.
public final class Verification {
    /// After so many rounds that differ, more would not tell more.
    private static final int MOST = 100;

    /// @param differing rounds that decided otherwise; at most a hundred are looked for
    /// @param first the first few of them
    public record Result(
            long batches, long events, long decisions, long differing, List<Difference> first) {
        public Result {
            first = List.copyOf(first);
        }
    }

    private static final int TOLD = 5;

    private final History history;
    private final Question question;
    private final Way.Known ways;
    private final WhatIf.Watcher watcher;
    private final List<Difference> first = new ArrayList<>();
    private @Nullable Engine past;
    private @Nullable Course course;
    private Way way = Way.DEFAULT;
    private long batches;
    private long events;
    private long decisions;
    private long differing;

    /// @param since where to begin; what it says of policies is not looked at
    public Verification(History history, Question since, Way.Known ways, WhatIf.Watcher watcher) {
        this.history = history;
        this.question = new Question(since.afterBatch(), since.from(), "", "");
        this.ways = ways;
        this.watcher = watcher;
    }

    public Result run() {
        history.read(0, this::next);
        if (batches == 0) {
            throw new BadQuestion(
                    past == null
                            ? "expected a journal with at least one batch, found none"
                            : "expected something after the point asked about, found that the"
                                    + " journal ends with batch "
                                    + past.lastBatch());
        }
        decisions += course == null ? 0 : course.decisions();
        return new Result(batches, events, decisions, differing, first);
    }

    private void next(Batch batch) {
        if (!watcher.at(batch.number(), events, true)) {
            throw new WhatIf.Stopped();
        }
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.EngineStarted e) {
                takesCharge(ways.of(e.fingerprint()));
            }
        }
        if (past == null) {
            past = new Engine(way.toPolicy(), way.settings());
        }
        if (differing < MOST && question.isAbout(batch)) {
            follow(batch, past);
        }
        past.apply(batch);
        events += batch.size();
    }

    private void takesCharge(@Nullable Way told) {
        if (told == null || told.equals(way)) {
            return;
        }
        way = told;
        if (past != null) {
            past =
                    Engine.restore(
                            past.image(), past.learner().image(), way.toPolicy(), way.settings());
        }
    }

    private void follow(Batch batch, Engine from) {
        Course present = course == null ? fresh(from) : course;
        present.follow(batch);
        course = present;
        batches++;
        Difference difference = present.parted();
        if (difference != null) {
            differing++;
            if (first.size() < TOLD) {
                first.add(difference);
            }
            decisions += present.decisions();
            course = null;
        }
    }

    private Course fresh(Engine from) {
        String chosen = from.state().policy();
        Way now = chosen.isEmpty() ? way : new Way(chosen, way.settings());
        Engine engine =
                Engine.restore(
                        from.image(), from.learner().image(), now.toPolicy(), now.settings());
        return new Course(
                engine,
                question,
                now,
                ways,
                new Nothing(),
                Map.of(),
                event -> {},
                (batch, conclusion) -> {});
    }

    /// No run is ever looked after.
    private static final class Nothing implements Lengths {
        @Override
        public Length of(Job job, String gpu) {
            return new Length(Duration.ZERO, Exit.SUCCESS, false, false);
        }

        @Override
        public Duration toStart(JobId job) {
            return Duration.ZERO;
        }

        @Override
        public Duration toStop() {
            return Duration.ZERO;
        }
    }
}

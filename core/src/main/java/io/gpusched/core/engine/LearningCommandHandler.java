package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.RuntimeAverages;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Answers commands that report or import observed runs. It refuses absurd values: a single run of
/// a thousand years would spoil a mean for good.
final class LearningCommandHandler {
    private static final Duration SHORTEST = Duration.ofNanos(1000);
    private static final Duration LONGEST = Duration.ofDays(366);
    private static final long MOST_PAIRS = 100_000;

    private LearningCommandHandler() {}

    static Answer observe(Command.Observe c, Instant now) {
        if (c.kind().isBlank() || c.gpuModel().isBlank()) {
            return invalid(
                    c.kind().isBlank() ? "job_type" : "gpu_type",
                    "a run has a kind of job and a kind of GPU, found an empty name",
                    "name both");
        }
        if (c.ran().compareTo(SHORTEST) < 0 || c.ran().compareTo(LONGEST) > 0) {
            return invalid(
                    "measured_runtime_s",
                    "expected a run time from a microsecond to 366 days, found "
                            + c.ran().toMillis() / 1e3
                            + " s",
                    "give seconds");
        }
        return Answer.accepted(
                new Event.Observed(
                        now, c.kind(), c.gpuModel(), c.ran(), c.neighbours(), c.features()));
    }

    static Answer count(Command.CountScores c, Learner learner, Instant now) {
        if (c.explored() < 0 || c.total() < c.explored() || c.reserved() < 0) {
            return invalid(
                    "",
                    "expected some of the choices to explore, found "
                            + c.explored()
                            + " of "
                            + c.total(),
                    "");
        }
        return c.total() == 0 && c.reserved() == learner.explorationCounts().reserved()
                ? Answer.accepted()
                : Answer.accepted(new Event.Scored(now, c.total(), c.explored(), c.reserved()));
    }

    static Answer retain(Command.SetRetention c, Learner learner, Instant now) {
        if (c.pairs() < 1 || c.pairs() > MOST_PAIRS) {
            return invalid(
                    "retention",
                    "expected 1 to " + MOST_PAIRS + " pairs to keep, found " + c.pairs(),
                    "choose a number in these bounds");
        }
        return c.pairs() == learner.book().retention()
                ? Answer.accepted()
                : Answer.accepted(new Event.RetentionChanged(now, c.pairs()));
    }

    static Answer take(Command.Import c, Instant now) {
        for (LearnedRuntime pair : c.runtimes()) {
            if (pair.alone().count() + pair.together().count() == 0
                    || !plausible(pair.alone())
                    || !plausible(pair.together())) {
                return invalid(
                        "pairs",
                        "expected run times from a microsecond to 366 days, found others for "
                                + pair.kind()
                                + " on "
                                + pair.gpuModel(),
                        "import what was exported");
            }
        }
        for (Instant at : times(c)) {
            if (at.isBefore(Instant.EPOCH) || at.isAfter(now.plus(Duration.ofDays(1)))) {
                return invalid(
                        "last_change",
                        "expected a time between 1970 and now, found " + at,
                        "leave it out, or write when the runs were seen");
            }
        }
        for (LearnedRuns pair : c.runs()) {
            for (LearnedRuns.One run : pair.runs()) {
                if (!plausible(run.seconds())) {
                    return invalid(
                            "run_times",
                            "expected run times from a microsecond to 366 days, found "
                                    + run.seconds()
                                    + " s for "
                                    + pair.kind()
                                    + " on "
                                    + pair.gpuModel(),
                            "import what was exported");
                }
            }
        }
        return Answer.accepted(
                new Event.Imported(
                        now, c.runtimes(), c.slowdowns(), c.runs(), c.interference(), c.by()));
    }

    private static List<Instant> times(Command.Import c) {
        var times = new ArrayList<Instant>();
        c.runtimes().forEach(pair -> times.add(pair.at()));
        c.slowdowns().forEach(pair -> times.add(pair.at()));
        c.runs().forEach(pair -> pair.runs().forEach(run -> times.add(run.start())));
        return times;
    }

    private static boolean plausible(RuntimeAverages times) {
        return times.count() == 0 || plausible(times.mean());
    }

    private static boolean plausible(double seconds) {
        return seconds * 1e9 >= SHORTEST.toNanos() && seconds <= LONGEST.toSeconds();
    }

    private static Answer invalid(String field, String message, String hint) {
        return Answer.rejected(Problem.Code.INVALID, field, message, hint);
    }
}

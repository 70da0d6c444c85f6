package io.gpusched.lab.runtimes;

import io.gpusched.core.learn.runtime.RuntimeEstimate;
import io.gpusched.core.learn.runtime.RuntimeModel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/// Compares runtime predictions on a trace, in the order of time. At each submission, the model and
/// the two simple rules predict the runtime from the jobs that have ended by then. The model also
/// sees, as a scheduler does, which jobs are running and for how long. A job is assumed to start at
/// its submission.
///
/// Jobs of groups without an ended job are predicted by the model alone and only count for the
/// coverage of its ranges. how well its ranges hold.
public final class PredictionContest {
    /// Errors are differences of logarithms: 0.7 is a factor of two.
    ///
    /// @param known whether a job of the group had ended, so that all three predicted
    /// @param low and `high` end the model's range for eight of ten
    public record Guess(
            PastJob job,
            boolean known,
            double running,
            double recent,
            double ours,
            double low,
            double high) {
        boolean inside() {
            return job.seconds() >= low && job.seconds() <= high;
        }
    }

    private record Ending(double at, int job) {}

    private final List<PastJob> jobs;
    private final boolean starts;
    private final RuntimeModel model = new RuntimeModel();
    private final Map<String, Medians> medians = new HashMap<>();
    private final PriorityQueue<Ending> endings =
            new PriorityQueue<>(
                    Comparator.comparingDouble(Ending::at).thenComparingInt(Ending::job));

    /// @param starts whether the model sees starts, or only ended jobs
    public PredictionContest(List<PastJob> jobs, boolean starts) {
        this.jobs = jobs;
        this.starts = starts;
    }

    public List<Guess> run() {
        var guesses = new ArrayList<Guess>(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            PastJob job = jobs.get(i);
            while (!endings.isEmpty() && endings.peek().at() <= job.submitted()) {
                ended(endings.remove());
            }
            guesses.add(guess(job));
            if (starts) {
                model.started(i, job.profile(), List.of(), Instant.ofEpochSecond(job.submitted()));
            }
            endings.add(new Ending(job.ended(), i));
        }
        return guesses;
    }

    private void ended(Ending ending) {
        PastJob job = jobs.get(ending.job());
        medians.computeIfAbsent(job.group(), group -> new Medians())
                .add(StrictMath.log(job.seconds()));
        Instant at =
                Instant.ofEpochSecond(job.submitted())
                        .plus(Duration.ofNanos((long) (job.seconds() * 1e9)));
        if (starts) {
            model.ended(ending.job(), at, at);
        } else {
            model.observed(job.profile(), List.of(), job.seconds(), at);
        }
    }

    private Guess guess(PastJob job) {
        RuntimeEstimate runtimeEstimate =
                model.estimate(job.profile(), Instant.ofEpochSecond(job.submitted()));
        double log = StrictMath.log(job.seconds());
        Medians group = medians.getOrDefault(job.group(), new Medians());
        boolean known = !group.isEmpty();
        return new Guess(
                job,
                known,
                known ? Math.abs(group.running() - log) : 0,
                known ? Math.abs(group.recent() - log) : 0,
                Math.abs(StrictMath.log(runtimeEstimate.median()) - log),
                runtimeEstimate.quantile(0.1) * (1 - 1e-9),
                runtimeEstimate.quantile(0.9) * (1 + 1e-9));
    }
}

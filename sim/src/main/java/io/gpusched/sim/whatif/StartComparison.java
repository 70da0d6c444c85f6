package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Compares the first start of each job in the journal and in the branch. Keeps only jobs that have
/// started on one side.
public final class StartComparison {
    /// How many single jobs are listed.
    private static final int KEPT = 50;

    /// A job whose start differs between the two sides.
    public record Other(JobId job, Instant recorded, Instant otherwise) {}

    private final Map<JobId, Instant> recorded = new HashMap<>();
    private final Map<JobId, Instant> otherwise = new HashMap<>();
    private final ArrayDeque<Other> last = new ArrayDeque<>();
    private long same;
    private long earlier;
    private long later;
    private double gained;

    void recorded(Event event) {
        hear(event, recorded, otherwise, true);
    }

    void otherwise(Event event) {
        hear(event, otherwise, recorded, false);
    }

    private void hear(
            Event event, Map<JobId, Instant> here, Map<JobId, Instant> there, boolean isRecord) {
        if (event instanceof Event.AttemptPlaced placed && placed.attempt().number() == 1) {
            JobId job = placed.attempt().job();
            Instant other = there.remove(job);
            if (other == null) {
                here.put(job, placed.at());
            } else {
                pair(job, isRecord ? placed.at() : other, isRecord ? other : placed.at());
            }
        } else if (event instanceof Event.JobEnded ended && !here.containsKey(ended.job())) {
            there.remove(ended.job());
        }
    }

    private void pair(JobId job, Instant was, Instant would) {
        if (was.equals(would)) {
            same++;
            return;
        }
        earlier += would.isBefore(was) ? 1 : 0;
        later += would.isAfter(was) ? 1 : 0;
        gained += Duration.between(would, was).toMillis() / 1e3;
        last.addLast(new Other(job, was, would));
        if (last.size() > KEPT) {
            last.removeFirst();
        }
    }

    Summary summary() {
        return new Summary(
                same, earlier, later, gained, recorded.size(), otherwise.size(), List.copyOf(last));
    }

    /// @param same jobs that started at the same time
    /// @param secondsGained the sum, over all jobs that started on both sides, of how much earlier
    ///        they start in the branch
    /// @param onlyRecorded jobs that have started in the record only
    /// @param last the last that started at another time
    public record Summary(
            long same,
            long earlier,
            long later,
            double secondsGained,
            long onlyRecorded,
            long onlyOtherwise,
            List<Other> last) {
        public Summary {
            last = List.copyOf(last);
        }
    }
}

package io.gpusched.lab.order;

import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.TraceJob;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Sequences of jobs to train on, drawn from the part of a log that no test uses.
///
/// The jobs of the test sequences are left out altogether. What remains are a few stretches of
/// consecutive jobs. A sequence is either a part of such a stretch, or new: blocks of consecutive
/// gaps between arrivals in a random order, each block under the jobs that came with it or under
/// jobs drawn from all that remain, at a random load, sometimes with time limits that overestimate.
public final class TrainingJobs {
    private static final int BLOCK = 64;
    private static final double RECORDED = 0.3;
    private static final double LEAST_LOAD = 0.9;
    private static final double MORE_LOAD = 0.8;
    private static final double OVERESTIMATED = 0.25;
    private static final Duration LONGEST_GAP = Duration.ofHours(6);

    private final List<List<TraceJob>> stretches = new ArrayList<>();
    private final List<TraceJob> all = new ArrayList<>();
    private final int length;

    /// @param starts the first jobs of the test sequences
    /// @param length of a test sequence, and the longest of a training sequence
    public TrainingJobs(List<TraceJob> jobs, int[] starts, int length) {
        this.length = length;
        var test = new boolean[jobs.size()];
        for (int start : starts) {
            for (int i = start; i < start + length; i++) {
                test[i] = true;
            }
        }
        int from = 0;
        for (int i = 0; i <= jobs.size(); i++) {
            if (i == jobs.size() || test[i]) {
                if (i - from > 2 * BLOCK) {
                    stretches.add(jobs.subList(from, i));
                    all.addAll(jobs.subList(from, i));
                }
                from = i + 1;
            }
        }
        if (stretches.isEmpty()) {
            throw new BadTrace(
                    "the test sequences leave no %d consecutive jobs of %d to train on; use fewer --sequences or a longer log"
                            .formatted(2 * BLOCK, jobs.size()));
        }
    }

    /// How many jobs may be used for training.
    public int size() {
        return all.size();
    }

    public int stretches() {
        return stretches.size();
    }

    List<TraceJob> draw(SeededRandom random) {
        return random.chance(RECORDED) ? recorded(random) : made(random);
    }

    private List<TraceJob> stretch(SeededRandom random) {
        int at = random.below(all.size());
        for (List<TraceJob> stretch : stretches) {
            if (at < stretch.size()) {
                return stretch;
            }
            at -= stretch.size();
        }
        return stretches.getLast();
    }

    private List<TraceJob> recorded(SeededRandom random) {
        List<TraceJob> stretch = stretch(random);
        int most = Math.min(length, stretch.size());
        int from = random.between(0, stretch.size() - most);
        return stretch.subList(from, from + most);
    }

    private List<TraceJob> made(SeededRandom random) {
        int count = random.between(length / 2, length);
        double load = LEAST_LOAD + MORE_LOAD * random.unit();
        double over = random.chance(OVERESTIMATED) ? 1 + 4 * random.unit() : 1;
        var made = new ArrayList<TraceJob>(count);
        Instant at = Instant.EPOCH.plusSeconds(1);
        while (made.size() < count) {
            List<TraceJob> stretch = stretch(random);
            int from = random.between(1, stretch.size() - BLOCK);
            for (int i = from; i < from + BLOCK && made.size() < count; i++) {
                TraceJob own = stretch.get(i);
                TraceJob job = random.chance(0.5) ? own : random.pick(all);
                Duration gap = Duration.between(stretch.get(i - 1).submitted(), own.submitted());
                gap = gap.compareTo(LONGEST_GAP) > 0 ? LONGEST_GAP : gap;
                at = at.plusSeconds((long) (gap.toSeconds() / load));
                made.add(at(job, at, over > 1 ? 1 + (over - 1) * random.unit() : 1));
            }
        }
        return made;
    }

    private static TraceJob at(TraceJob job, Instant when, double over) {
        Duration limit = Duration.ofSeconds((long) (job.limit().toSeconds() * over));
        return new TraceJob(job.name(), job.tenant(), when, job.runtime(), limit, job.ask());
    }
}

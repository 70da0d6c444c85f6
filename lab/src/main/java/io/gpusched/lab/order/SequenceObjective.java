package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.swf.FirstOfModel;
import io.gpusched.lab.swf.JobSequence;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.trace.TraceJob;

import java.util.ArrayList;
import java.util.List;

/// The bounded slowdown of sequences of a batch log, every other one with backfilling. The cost is
/// the mean of the logarithms, so that every sequence counts the same, whatever its load.
/// Validation uses other sequences that are drawn from the same jobs.
public final class SequenceObjective implements OrderObjective {
    private static final int VALIDATION = 96;

    private final TrainingJobs jobs;
    private final long procs;
    private final long seed;
    private final int sequences;
    private final List<List<TraceJob>> validation = new ArrayList<>();

    /// @param sequences how many sequences judge a generation
    public SequenceObjective(TrainingJobs jobs, long procs, long seed, int sequences) {
        this.jobs = jobs;
        this.procs = procs;
        this.seed = seed;
        this.sequences = sequences;
        for (int i = 0; i < VALIDATION; i++) {
            validation.add(jobs.draw(SeededRandom.of(seed, "validation", i)));
        }
    }

    @Override
    public String encoder() {
        return FirstOfModel.ENCODER;
    }

    @Override
    public double cost(ScoreModel model, int generation) {
        var drawn = new ArrayList<List<TraceJob>>();
        for (int i = 0; i < sequences; i++) {
            drawn.add(jobs.draw(SeededRandom.of(seed, "sequence " + generation, i)));
        }
        return mean(model, drawn);
    }

    @Override
    public double validation(ScoreModel model) {
        return mean(model, validation);
    }

    private double mean(ScoreModel model, List<List<TraceJob>> drawn) {
        double sum = 0;
        for (int i = 0; i < drawn.size(); i++) {
            sum += StrictMath.log(slowdown(model, drawn.get(i), i % 2 == 1));
        }
        return sum / drawn.size();
    }

    private double slowdown(ScoreModel model, List<TraceJob> sequence, boolean backfills) {
        return new JobSequence(sequence, procs, new FirstOfModel(model, backfills), backfills)
                .run()
                .slowdown();
    }
}

package io.gpusched.core.engine;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.assign.Matching;
import io.gpusched.core.learn.assign.Sinkhorn;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.state.CapacityView;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// Assigns GPU models to the first jobs of the queue at once, so that their total time is small.
///
///     one A100 and one V100 free; the first job takes 10 min on either, the second 10 and 60
///       one by one: the first gets the A100, 70 min in all; together: the second does, 20 min
///
/// The cost of a job on a model is its expected runtime there times the penalty of the learned
/// scorers, which is a fraction of the runtime; [Matching] keeps the sum over all jobs small. Jobs
/// are still tried in order, each on its assigned model or, if it does not fit there any more, on
/// any other. The plan decides where a job runs, never which job runs.
///
/// It is computed at the start of a cycle from the ledger and the learned model alone, and dropped
/// at its end, so that neither a restart nor which classes are awake changes it.
final class BatchAssignment {
    /// The most jobs that are assigned at once.
    static final int MOST = 64;

    /// @param models the models on which it could start now, each with one candidate
    private record Planned(
            Job job, CapacityView view, int gpus, SequencedMap<String, Candidate> models) {}

    private final NodeSearch nodeSearch;
    private final RuntimeModel model;
    private final List<Planned> jobs = new ArrayList<>();
    private final SequencedMap<String, Integer> free = new LinkedHashMap<>();
    private final Set<Integer> counted = new LinkedHashSet<>();
    private int asked;

    BatchAssignment(NodeSearch nodeSearch, RuntimeModel model) {
        this.nodeSearch = nodeSearch;
        this.model = model;
    }

    /// Whether the job can be assigned: one task that uses whole GPUs.
    static boolean suits(Job job) {
        return job.spec().tasks() == 1
                && job.spec().roles().getFirst().shape().gpus() instanceof GpuRequest.Whole;
    }

    /// Adds the job, unless the jobs before it need all free GPUs.
    ///
    /// @param view the capacity that the job may use
    void add(Job job, CapacityView view) {
        Shape shape = shape(job);
        int gpus = ((GpuRequest.Whole) shape.gpus()).count();
        var models = new LinkedHashMap<String, Candidate>();
        nodeSearch.everyFit(
                shape,
                view,
                candidate -> {
                    String name = JobProfiles.gpu(candidate.node(), candidate.grant());
                    models.putIfAbsent(name, candidate);
                    if (counted.add(candidate.node().index())) {
                        free.merge(name, Long.bitCount(candidate.node().idleGpus()), Integer::sum);
                    }
                });
        int room = free.values().stream().mapToInt(Integer::intValue).sum();
        if (!models.isEmpty() && asked + gpus <= room) {
            asked += gpus;
            jobs.add(new Planned(job, view, gpus, models));
        }
    }

    /// The assigned model of each job; a job without one is absent.
    SequencedMap<JobId, String> plan() {
        var plan = new LinkedHashMap<JobId, String>();
        if (jobs.size() < 2 || free.size() < 2) {
            return plan;
        }
        List<String> models = List.copyOf(free.sequencedKeySet());
        var capacities = new int[models.size()];
        for (int at = 0; at < capacities.length; at++) {
            capacities[at] = free.getOrDefault(models.get(at), 0);
        }
        int[] sizes = jobs.stream().mapToInt(Planned::gpus).toArray();
        int[] places = Matching.of(costs(models), sizes, capacities, Sinkhorn.DEFAULT);
        for (int i = 0; i < places.length; i++) {
            if (places[i] != Matching.NOWHERE) {
                plan.put(jobs.get(i).job.id(), models.get(places[i]));
            }
        }
        return plan;
    }

    /// The cost of every job on every model, relative to the largest; infinite if it does not fit.
    private double[][] costs(List<String> models) {
        var costs = new double[jobs.size()][models.size()];
        double largest = Double.MIN_NORMAL;
        for (int i = 0; i < costs.length; i++) {
            Planned one = jobs.get(i);
            var candidates = new ArrayList<>(one.models.sequencedValues());
            double[] against =
                    nodeSearch.learnedCosts(one.job, shape(one.job), candidates, one.view);
            Map<String, Double> byModel = new LinkedHashMap<>();
            int at = 0;
            for (String name : one.models.sequencedKeySet()) {
                byModel.put(name, against[at++] * seconds(one.job, name));
            }
            for (int k = 0; k < models.size(); k++) {
                double cost = byModel.getOrDefault(models.get(k), Double.POSITIVE_INFINITY);
                costs[i][k] = cost;
                largest = Double.isFinite(cost) ? Math.max(largest, cost) : largest;
            }
        }
        for (double[] row : costs) {
            for (int k = 0; k < row.length; k++) {
                row[k] /= largest;
            }
        }
        return costs;
    }

    private double seconds(Job job, String name) {
        return StrictMath.exp(model.belief(JobProfiles.of(job.spec(), name)).mean());
    }

    private static Shape shape(Job job) {
        return job.spec().roles().getFirst().shape();
    }
}

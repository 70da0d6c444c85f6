package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.ConfidenceInterval;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.metrics.MetricValues;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/// The results of one policy on one workload, over all seeds.
record ResultGroup(LabWorkload labWorkload, PolicyVariant policyVariant, List<RunResult> answers) {
    ResultGroup {
        answers = List.copyOf(answers);
    }

    /// In the order of the results: first by workload, then by policy.
    static List<ResultGroup> of(List<RunResult> answers) {
        var groups = new LinkedHashMap<String, List<RunResult>>();
        for (RunResult runResult : answers) {
            PolicyRun q = runResult.policyRun();
            groups.computeIfAbsent(
                            q.labWorkload().name() + "\n" + q.policyVariant().name(),
                            key -> new ArrayList<>())
                    .add(runResult);
        }
        var list = new ArrayList<ResultGroup>();
        for (List<RunResult> same : groups.values()) {
            PolicyRun first = same.getFirst().policyRun();
            list.add(new ResultGroup(first.labWorkload(), first.policyVariant(), same));
        }
        return list;
    }

    String name() {
        return policyVariant.name();
    }

    /// A figure of all jobs.
    ConfidenceInterval interval(Metric metric) {
        return interval(runResult -> runResult.runMeasurements().all(), metric);
    }

    /// A figure of one tenant.
    ConfidenceInterval interval(String tenant, Metric metric) {
        return interval(runResult -> runResult.runMeasurements().tenant(tenant), metric);
    }

    private ConfidenceInterval interval(Function<RunResult, MetricValues> whose, Metric metric) {
        return ConfidenceInterval.of(
                answers.stream()
                        .mapToDouble(runResult -> whose.apply(runResult).of(metric))
                        .toArray());
    }

    List<String> tenants() {
        var names = new TreeSet<String>();
        answers.forEach(runResult -> names.addAll(runResult.runMeasurements().tenants().keySet()));
        return List.copyOf(names);
    }

    /// The mean over the seeds of each quantile; empty when there were no jobs.
    List<Double> quantiles(Function<RunResult, List<Double>> curve) {
        var means = new ArrayList<Double>();
        int points = answers.stream().mapToInt(a -> curve.apply(a).size()).max().orElse(0);
        for (int i = 0; i < points; i++) {
            double sum = 0;
            int n = 0;
            for (RunResult runResult : answers) {
                List<Double> values = curve.apply(runResult);
                if (i < values.size()) {
                    sum += values.get(i);
                    n++;
                }
            }
            means.add(sum / n);
        }
        return means;
    }

    /// The result whose curves over time are drawn.
    RunResult first() {
        return answers.getFirst();
    }
}

package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Figures;
import io.gpusched.sim.metrics.Interval;
import io.gpusched.sim.metrics.Metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/// The answers of one contestant on one course, under all seeds.
record Group(Course course, Contestant contestant, List<Answer> answers) {
    Group {
        answers = List.copyOf(answers);
    }

    /// In the order of the answers: first by course, then by contestant.
    static List<Group> of(List<Answer> answers) {
        var groups = new LinkedHashMap<String, List<Answer>>();
        for (Answer answer : answers) {
            Question q = answer.question();
            groups.computeIfAbsent(
                            q.course().name() + "\n" + q.contestant().name(),
                            key -> new ArrayList<>())
                    .add(answer);
        }
        var list = new ArrayList<Group>();
        for (List<Answer> same : groups.values()) {
            Question first = same.getFirst().question();
            list.add(new Group(first.course(), first.contestant(), same));
        }
        return list;
    }

    String name() {
        return contestant.name();
    }

    /// A figure of all jobs.
    Interval interval(Metric metric) {
        return interval(answer -> answer.measured().all(), metric);
    }

    /// A figure of one tenant.
    Interval interval(String tenant, Metric metric) {
        return interval(answer -> answer.measured().tenant(tenant), metric);
    }

    private Interval interval(Function<Answer, Figures> whose, Metric metric) {
        return Interval.of(
                answers.stream().mapToDouble(answer -> whose.apply(answer).of(metric)).toArray());
    }

    List<String> tenants() {
        var names = new TreeSet<String>();
        answers.forEach(answer -> names.addAll(answer.measured().tenants().keySet()));
        return List.copyOf(names);
    }

    /// The mean over the seeds of each quantile; empty when there were no jobs.
    List<Double> quantiles(Function<Answer, List<Double>> curve) {
        var means = new ArrayList<Double>();
        int points = answers.stream().mapToInt(a -> curve.apply(a).size()).max().orElse(0);
        for (int i = 0; i < points; i++) {
            double sum = 0;
            int n = 0;
            for (Answer answer : answers) {
                List<Double> values = curve.apply(answer);
                if (i < values.size()) {
                    sum += values.get(i);
                    n++;
                }
            }
            means.add(sum / n);
        }
        return means;
    }

    /// The one whose course over time is drawn.
    Answer first() {
        return answers.getFirst();
    }
}

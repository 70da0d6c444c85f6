package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Measured;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The pictures of one course.
record Pictures(List<Group> groups) {
    private static final double GANTT_SECONDS = 12 * 3600;

    List<Picture> all() {
        var pictures = new ArrayList<Picture>();
        pictures.add(cdf("wait", "Waiting time: part of the jobs that waited at most so long"));
        pictures.add(cdf("completion", "Completion time: part of the jobs that took at most"));
        long seed = groups.getFirst().first().question().seed();
        pictures.add(
                overTime(
                        "allocation",
                        "GPUs held over time, seed " + seed,
                        Axis.Kind.PERCENT,
                        Measured.Use::allocation));
        pictures.add(
                overTime(
                        "utilisation",
                        "GPUs held and used over time, seed " + seed,
                        Axis.Kind.PERCENT,
                        Measured.Use::utilisation));
        pictures.add(
                overTime(
                        "waiting",
                        "Jobs waiting over time, seed " + seed,
                        Axis.Kind.PLAIN,
                        Measured.Use::waiting));
        groups.forEach(group -> pictures.add(gantt(group)));
        return pictures;
    }

    private String prefix(String name) {
        return groups.getFirst().course().name().replaceAll("[^A-Za-z0-9._-]", "_") + "--" + name;
    }

    private Picture cdf(String what, String title) {
        Function<Answer, List<Double>> curve =
                what.equals("wait")
                        ? answer -> answer.measured().waits()
                        : answer -> answer.measured().completions();
        var lines = new ArrayList<Chart.Line>();
        double most = 1;
        for (Group group : groups) {
            List<Double> across = group.quantiles(curve);
            var up = new ArrayList<Double>();
            for (int i = 0; i < across.size(); i++) {
                up.add((double) i / (across.size() - 1));
                most = Math.max(most, across.get(i));
            }
            lines.add(new Chart.Line(group.name(), across, up));
        }
        return new Chart(
                prefix(what),
                title,
                new Axis(what + " time", most, Axis.Kind.LOG_TIME),
                new Axis("jobs", 1, Axis.Kind.PERCENT),
                lines);
    }

    private Picture overTime(
            String what,
            String title,
            Axis.Kind kind,
            Function<Measured.Use, List<Double>> values) {
        var lines = new ArrayList<Chart.Line>();
        double longest = 1;
        double most = kind == Axis.Kind.PERCENT ? 1 : 1e-9;
        for (Group group : groups) {
            Measured.Use use = group.first().measured().use();
            List<Double> up = values.apply(use);
            var across = new ArrayList<Double>();
            for (int i = 0; i < up.size(); i++) {
                across.add((i + 0.5) * use.stepSeconds());
                most = Math.max(most, up.get(i));
            }
            longest = Math.max(longest, up.size() * use.stepSeconds());
            lines.add(new Chart.Line(group.name(), across, up));
        }
        return new Chart(
                prefix(what),
                title,
                new Axis("since the first submission", longest, Axis.Kind.TIME),
                new Axis(what, most, kind),
                lines);
    }

    private Picture gantt(Group group) {
        Answer answer = group.first();
        double end = 1;
        for (Measured.Bar bar : answer.measured().bars()) {
            end = Math.max(end, bar.to());
        }
        return new Gantt(
                prefix("gantt--" + group.name()),
                "The first hours under " + group.name() + ", seed " + answer.question().seed(),
                group.tenants(),
                answer.measured().bars(),
                Math.min(end, GANTT_SECONDS));
    }
}

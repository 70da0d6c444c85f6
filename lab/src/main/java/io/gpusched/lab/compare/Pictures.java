package io.gpusched.lab.compare;

import io.gpusched.lab.draw.Picture;
import io.gpusched.sim.metrics.RunMeasurements;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The pictures of one workload.
record Pictures(List<ResultGroup> groups) {
    private static final double GANTT_SECONDS = 12 * 3600;

    List<Picture> all() {
        var pictures = new ArrayList<Picture>();
        pictures.add(cdf("wait", "Waiting time: part of the jobs that waited at most so long"));
        pictures.add(cdf("completion", "Completion time: part of the jobs that took at most"));
        long seed = groups.getFirst().first().policyRun().seed();
        pictures.add(
                overTime(
                        "allocation",
                        "GPUs held over time, seed " + seed,
                        Axis.Kind.PERCENT,
                        RunMeasurements.Use::allocation));
        pictures.add(
                overTime(
                        "utilisation",
                        "GPUs held and used over time, seed " + seed,
                        Axis.Kind.PERCENT,
                        RunMeasurements.Use::utilisation));
        pictures.add(
                overTime(
                        "waiting",
                        "Jobs waiting over time, seed " + seed,
                        Axis.Kind.PLAIN,
                        RunMeasurements.Use::waiting));
        groups.forEach(resultGroup -> pictures.add(gantt(resultGroup)));
        return pictures;
    }

    private String prefix(String name) {
        return groups.getFirst().labWorkload().name().replaceAll("[^A-Za-z0-9._-]", "_")
                + "--"
                + name;
    }

    private Picture cdf(String what, String title) {
        Function<RunResult, List<Double>> curve =
                what.equals("wait")
                        ? runResult -> runResult.runMeasurements().waits()
                        : runResult -> runResult.runMeasurements().completions();
        var lines = new ArrayList<Chart.Line>();
        double most = 1;
        for (ResultGroup resultGroup : groups) {
            List<Double> across = resultGroup.quantiles(curve);
            var up = new ArrayList<Double>();
            for (int i = 0; i < across.size(); i++) {
                up.add((double) i / (across.size() - 1));
                most = Math.max(most, across.get(i));
            }
            lines.add(new Chart.Line(resultGroup.name(), across, up));
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
            Function<RunMeasurements.Use, List<Double>> values) {
        var lines = new ArrayList<Chart.Line>();
        double longest = 1;
        double most = kind == Axis.Kind.PERCENT ? 1 : 1e-9;
        for (ResultGroup resultGroup : groups) {
            RunMeasurements.Use use = resultGroup.first().runMeasurements().use();
            List<Double> up = values.apply(use);
            var across = new ArrayList<Double>();
            for (int i = 0; i < up.size(); i++) {
                across.add((i + 0.5) * use.stepSeconds());
                most = Math.max(most, up.get(i));
            }
            longest = Math.max(longest, up.size() * use.stepSeconds());
            lines.add(new Chart.Line(resultGroup.name(), across, up));
        }
        return new Chart(
                prefix(what),
                title,
                new Axis("since the first submission", longest, Axis.Kind.TIME),
                new Axis(what, most, kind),
                lines);
    }

    private Picture gantt(ResultGroup resultGroup) {
        RunResult runResult = resultGroup.first();
        double end = 1;
        for (RunMeasurements.Bar bar : runResult.runMeasurements().bars()) {
            end = Math.max(end, bar.to());
        }
        return new Gantt(
                prefix("gantt--" + resultGroup.name()),
                "The first hours under "
                        + resultGroup.name()
                        + ", seed "
                        + runResult.policyRun().seed(),
                resultGroup.tenants(),
                runResult.runMeasurements().bars(),
                Math.min(end, GANTT_SECONDS));
    }
}

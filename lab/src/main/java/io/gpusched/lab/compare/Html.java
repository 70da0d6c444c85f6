package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Interval;
import io.gpusched.sim.metrics.Metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The answers for people: one page that needs nothing else, neither files beside it nor a network.
final class Html {
    private static final Metric[] OF_TENANTS = {
        Metric.JOBS,
        Metric.WAIT_MEAN,
        Metric.WAIT_P90,
        Metric.COMPLETION_MEAN,
        Metric.SLOWDOWN_MEAN,
        Metric.FINISH_MEAN,
        Metric.PREEMPTIONS,
        Metric.GPU_HOURS,
        Metric.COST,
        Metric.ENERGY,
    };

    private static final String STYLE =
            """
            body { font: 15px/1.5 system-ui, sans-serif; color: #222; margin: 2rem auto;
                   max-width: 1180px; padding: 0 1.5rem; }
            h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-bottom: 2px solid #222; }
            h3 { margin: 2rem 0 .5rem; }
            .scroll { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #e4e7ec;
                     white-space: nowrap; vertical-align: top; }
            th { font-weight: 600; } th:first-child, td:first-child { text-align: left; }
            thead th { border-bottom: 2px solid #98a2b3; white-space: normal;
                       vertical-align: bottom; }
            td small { display: block; color: #667085; }
            td.best { background: #e7f6ee; font-weight: 600; } td.best small { font-weight: 400; }
            tr.tenant td { border-top: 1px solid #98a2b3; }
            .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(520px, 1fr));
                        gap: 1.5rem; }
            svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
            p.note, .note { color: #475467; max-width: 70ch; }
            @media print { body { max-width: none; } svg { break-inside: avoid; } }
            """;

    private final StringBuilder page = new StringBuilder();

    private Html() {}

    static String page(List<Group> groups) {
        var html = new Html();
        html.head(groups);
        var courses = new LinkedHashMap<String, List<Group>>();
        for (Group group : groups) {
            courses.computeIfAbsent(group.course().name(), key -> new ArrayList<>()).add(group);
        }
        courses.values().forEach(html::course);
        html.notes();
        return html.page.append("</body>\n</html>\n").toString();
    }

    private void head(List<Group> groups) {
        page.append("<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n");
        page.append("<meta name='viewport' content='width=device-width'>\n");
        page.append("<title>Policies compared</title>\n<style>\n").append(STYLE);
        page.append("</style>\n</head>\n<body>\n<h1>Policies compared</h1>\n<p class='note'>");
        long runs = groups.stream().mapToLong(group -> group.answers().size()).sum();
        page.append(runs).append(" runs of the production scheduler in simulated time. ");
        page.append("Below a mean over several seeds stands where 95 % of such means would lie. ");
        page.append(
                "Green: the best of a row; no green where the seeds do not tell the best from ");
        page.append("the others, because these ranges touch. One seed has no range.</p>\n");
    }

    private void course(List<Group> groups) {
        Course course = groups.getFirst().course();
        page.append("<h2>").append(Svg.escape(course.name())).append("</h2>\n");
        page.append("<p class='note'>").append(Svg.escape(course.scenario().about()));
        page.append(course.scenario().about().isEmpty() ? "" : "<br>");
        page.append(course.scenario().nodes().size()).append(" nodes, ");
        page.append(course.scenario().gpus()).append(" GPUs, ");
        page.append(groups.getFirst().answers().size()).append(" seed(s).</p>\n");
        metrics(groups);
        page.append("<h3>Pictures</h3>\n<div class='pictures'>\n");
        for (Picture picture : new Pictures(groups).all()) {
            page.append("<div>").append(picture.svg()).append("</div>\n");
        }
        page.append("</div>\n");
        tenants(groups);
    }

    private void metrics(List<Group> groups) {
        page.append("<div class='scroll'><table>\n<thead><tr><th></th>");
        groups.forEach(g -> page.append("<th>").append(Svg.escape(g.name())).append("</th>"));
        page.append("</tr></thead>\n");
        for (Metric metric : Metric.values()) {
            List<Interval> row = groups.stream().map(g -> g.interval(metric)).toList();
            if (row.stream().anyMatch(interval -> interval.seeds() > 0)) {
                page.append("<tr><td>").append(metric.title()).append("</td>");
                double best = best(metric, row);
                row.forEach(interval -> cell(metric, interval, best));
                page.append("</tr>\n");
            }
        }
        page.append("</table></div>\n");
    }

    /// The best mean of a row; no number when nothing is better than anything else, or when it
    /// could be chance: the interval of the best must not touch that of one that is worse.
    private static double best(Metric metric, List<Interval> row) {
        if (metric.better() == Metric.Better.NEITHER) {
            return Double.NaN;
        }
        double sign = metric.better() == Metric.Better.LESS ? 1 : -1;
        Interval best = row.getFirst();
        for (Interval interval : row) {
            if (Double.isNaN(best.mean()) || sign * interval.mean() < sign * best.mean()) {
                best = interval;
            }
        }
        boolean beats = false;
        for (Interval interval : row) {
            boolean same =
                    Numbers.nice(metric, interval.mean()).equals(Numbers.nice(metric, best.mean()));
            if (!same && interval.touches(best)) {
                return Double.NaN;
            }
            beats |= !same;
        }
        return beats ? best.mean() : Double.NaN;
    }

    private void cell(Metric metric, Interval interval, double best) {
        String text = Numbers.nice(metric, interval.mean());
        page.append(
                !Double.isNaN(best) && text.equals(Numbers.nice(metric, best))
                        ? "<td class='best'>"
                        : "<td>");
        page.append(text);
        String between = Numbers.between(metric, interval);
        if (!between.isEmpty()) {
            page.append("<small>").append(between).append("</small>");
        }
        page.append("</td>");
    }

    private void tenants(List<Group> groups) {
        page.append("<h3>Tenants</h3>\n<div class='scroll'><table>\n<thead><tr><th></th><th></th>");
        for (Metric metric : OF_TENANTS) {
            page.append("<th>").append(metric.title()).append("</th>");
        }
        page.append("</tr></thead>\n");
        for (String tenant : groups.getFirst().tenants()) {
            Map<Metric, Double> best = new LinkedHashMap<>();
            for (Metric metric : OF_TENANTS) {
                List<Interval> column =
                        groups.stream().map(group -> group.interval(tenant, metric)).toList();
                best.put(metric, best(metric, column));
            }
            boolean first = true;
            for (Group group : groups) {
                page.append(first ? "<tr class='tenant'><td>" + Svg.escape(tenant) : "<tr><td>");
                page.append("</td><td>").append(Svg.escape(group.name())).append("</td>");
                for (Metric metric : OF_TENANTS) {
                    Interval interval = group.interval(tenant, metric);
                    cell(metric, interval, best.getOrDefault(metric, Double.NaN));
                }
                page.append("</tr>\n");
                first = false;
            }
        }
        page.append("</table></div>\n");
    }

    private void notes() {
        page.append(
                """
                <h2>What the figures mean</h2>
                <ul class='note'>
                <li>Wait: from submission to the first placement. Completion: from submission to the
                end of jobs that completed. Percentiles are by nearest rank.</li>
                <li>Bounded slowdown: completion divided by the time the job ran, runs of less than
                10 s taken as 10 s, never less than 1.</li>
                <li>Allocation: GPU time held, as a part of the GPU time there was. Utilisation: the
                part held by tasks that run and use it.</li>
                <li>Fragmentation: the part of the free GPUs that a task of this workload could not
                use because too few are free on the same node.</li>
                <li>Jain fairness: over the tenants' mean part of the time, from submission to end, in
                which their jobs ran. Finish-time fairness ρ: completion here divided by completion on
                a private, equal part of the cluster; over 1, sharing did the job harm.</li>
                <li>Lost work: GPU hours of runs that were cut short without saving.</li>
                <li>Energy: of all GPUs, idle ones too; for tenants, of the GPUs they held. Cost: GPU
                hours held, at the market's price or the list price of the model.</li>
                <li>Curves over several seeds are means of the quantiles; pictures over time show the
                first seed.</li>
                </ul>
                """);
    }
}

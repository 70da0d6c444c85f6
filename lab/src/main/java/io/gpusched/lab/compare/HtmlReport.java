package io.gpusched.lab.compare;

import io.gpusched.core.model.Plurals;
import io.gpusched.lab.draw.Picture;
import io.gpusched.lab.draw.Svg;
import io.gpusched.sim.metrics.ConfidenceInterval;
import io.gpusched.sim.metrics.Metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The results as one HTML page that needs no other files and no network.
final class HtmlReport {
    private static final Metric[] OF_TENANTS = {
        Metric.JOBS,
        Metric.WAIT_MEAN,
        Metric.WAIT_P90,
        Metric.COMPLETION_MEAN,
        Metric.SLOWDOWN_MEAN,
        Metric.FINISH_MEAN,
        Metric.AT_QUOTA,
        Metric.PREEMPTIONS,
        Metric.GPU_HOURS,
        Metric.COST,
        Metric.ENERGY,
    };

    /// The report names a quota that makes jobs wait for more than this fraction of their time in
    /// the queue under every policy.
    private static final double HELD_BACK = 0.5;

    private static final String STYLE =
            """
            body { font: 15px/1.5 system-ui, sans-serif; color: #222; margin: 2rem auto;
                   max-width: 1800px; padding: 0 1.5rem; }
            h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-bottom: 2px solid #222; }
            h3 { margin: 2rem 0 .5rem; }
            .scroll { overflow-x: auto; }
            table { border-collapse: separate; border-spacing: 0; font-size: 13px;
                    line-height: 1.35; font-variant-numeric: tabular-nums; }
            th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #e4e7ec;
                     vertical-align: top; }
            th { font-weight: 600; } td { white-space: nowrap; }
            thead th { border-bottom: 2px solid #98a2b3; vertical-align: bottom;
                       max-width: 7rem; }
            th:first-child { position: sticky; left: 0; background: #fff; text-align: left;
                             z-index: 1; border-right: 1px solid #98a2b3; }
            tbody th { font-weight: 400; }
            tbody tr:hover td, tbody tr:hover th { background: #f2f4f7; }
            th small, td small { color: #667085; font-weight: 400; font-size: 11px; }
            td small { display: block; white-space: normal; }
            tbody th:first-child { min-width: 9rem; }
            td.best, tbody tr:hover td.best { background: #e7f6ee; font-weight: 600; }
            th.policy { text-align: left; white-space: nowrap; }
            tr.tenant th, tr.tenant td { border-top: 1px solid #98a2b3; }
            table.many { font-size: 11.5px; } table.many small { font-size: 10px; }
            table.many th, table.many td { padding: .2rem .3rem; }
            table.many thead th { max-width: 4.6rem; }
            .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(520px, 1fr));
                        gap: 1.5rem; max-width: 1400px; }
            svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
            p.note, .note { color: #475467; max-width: 80ch; }
            p.quota { border-left: 4px solid #b54708; padding-left: .8rem; max-width: 80ch; }
            @media print { body { max-width: none; } svg { break-inside: avoid; } }
            """;

    /// With more policies than these, the columns are set narrower.
    private static final int MANY = 8;

    private final StringBuilder page = new StringBuilder();

    private HtmlReport() {}

    static String page(List<ResultGroup> groups) {
        var htmlReport = new HtmlReport();
        htmlReport.head(groups);
        var courses = new LinkedHashMap<String, List<ResultGroup>>();
        for (ResultGroup resultGroup : groups) {
            courses.computeIfAbsent(resultGroup.labWorkload().name(), key -> new ArrayList<>())
                    .add(resultGroup);
        }
        courses.values().forEach(htmlReport::course);
        htmlReport.notes();
        return htmlReport.page.append("</body>\n</html>\n").toString();
    }

    private void head(List<ResultGroup> groups) {
        page.append("<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n");
        page.append("<meta name='viewport' content='width=device-width'>\n");
        page.append("<title>Policies compared</title>\n<style>\n").append(STYLE);
        page.append("</style>\n</head>\n<body>\n<h1>Policies compared</h1>\n<p class='note'>");
        long runs = groups.stream().mapToLong(resultGroup -> resultGroup.answers().size()).sum();
        page.append(runs).append(" runs of the production scheduler in simulated time. ");
        page.append("Below a mean over several seeds stands its 95 % range: where such means ");
        page.append("would lie with other seeds. Green marks the best of a row when its range ");
        page.append("touches no other. One seed has no range, so nothing is green.</p>\n");
    }

    private void course(List<ResultGroup> groups) {
        LabWorkload labWorkload = groups.getFirst().labWorkload();
        page.append("<h2>").append(Svg.escape(labWorkload.name())).append("</h2>\n");
        page.append("<p class='note'>").append(Svg.escape(labWorkload.scenario().about()));
        page.append(labWorkload.scenario().about().isEmpty() ? "" : "<br>");
        page.append(labWorkload.scenario().nodes().size()).append(" nodes, ");
        page.append(labWorkload.scenario().gpus()).append(" GPUs, ");
        int seeds = groups.getFirst().answers().size();
        page.append(Plurals.of(seeds, "seed"));
        page.append(
                labWorkload.isDrawn()
                        ? "."
                        : "; this workload draws nothing at random, so every seed gives the same.");
        page.append("</p>\n");
        quotas(groups);
        metrics(groups);
        page.append("<h3>Pictures</h3>\n<div class='pictures'>\n");
        for (Picture picture : new Pictures(groups).all()) {
            page.append("<div>").append(picture.svg()).append("</div>\n");
        }
        page.append("</div>\n");
        tenants(groups);
    }

    /// A sentence for each tenant whose quota, and not the policy, keeps its jobs in the queue.
    private void quotas(List<ResultGroup> groups) {
        for (String tenant : groups.getFirst().tenants()) {
            double least = 1;
            for (ResultGroup resultGroup : groups) {
                least = Math.min(least, resultGroup.interval(tenant, Metric.AT_QUOTA).mean());
            }
            if (least > HELD_BACK) {
                page.append("<p class='quota'>The quota of tenant <b>");
                page.append(Svg.escape(tenant))
                        .append("</b>, not the policy, holds its jobs back:");
                page.append(" under every policy here its jobs were at the quota for at least ");
                page.append(Math.round(100 * least)).append(" % of the time in which any of them");
                page.append(" waited. A larger quota shortens these waits; another policy hardly");
                page.append(" does.</p>\n");
            }
        }
    }

    private void metrics(List<ResultGroup> groups) {
        page.append("<div class='scroll'><table");
        page.append(groups.size() > MANY ? " class='many'" : "").append(">\n<thead><tr><th></th>");
        groups.forEach(g -> page.append("<th>").append(breakable(g.name())).append("</th>"));
        page.append("</tr></thead>\n<tbody>\n");
        for (Metric metric : Metric.values()) {
            List<ConfidenceInterval> row = groups.stream().map(g -> g.interval(metric)).toList();
            if (row.stream().anyMatch(confidenceInterval -> confidenceInterval.seeds() > 0)) {
                CommonFormat format = format(metric, row);
                page.append("<tr><th>").append(title(metric, format)).append("</th>");
                double best = best(metric, row, format);
                row.forEach(confidenceInterval -> cell(confidenceInterval, best, format));
                page.append("</tr>\n");
            }
        }
        page.append("</tbody>\n</table></div>\n");
    }

    private static CommonFormat format(Metric metric, List<ConfidenceInterval> all) {
        var values = new ArrayList<Double>();
        for (ConfidenceInterval confidenceInterval : all) {
            values.addAll(
                    List.of(
                            confidenceInterval.mean(),
                            confidenceInterval.low(),
                            confidenceInterval.high()));
        }
        return CommonFormat.of(metric, values);
    }

    private static String title(Metric metric, CommonFormat format) {
        return format.unit().isEmpty()
                ? metric.title()
                : metric.title() + " <small>" + format.unit() + "</small>";
    }

    /// A name that may go on in the next line after `+` and `-`.
    private static String breakable(String name) {
        return Svg.escape(name).replaceAll("([+-])", "$1<wbr>");
    }

    /// The best mean of a row; NaN if no value is better, if there is only one seed, or if chance
    /// could explain the difference: the interval of the best must not overlap that of a worse one.
    private static double best(Metric metric, List<ConfidenceInterval> row, CommonFormat format) {
        boolean oneSeed =
                row.stream().anyMatch(confidenceInterval -> confidenceInterval.seeds() == 1);
        if (metric.better() == Metric.Better.NEITHER || oneSeed) {
            return Double.NaN;
        }
        double sign = metric.better() == Metric.Better.LESS ? 1 : -1;
        ConfidenceInterval best = row.getFirst();
        for (ConfidenceInterval confidenceInterval : row) {
            if (Double.isNaN(best.mean())
                    || sign * confidenceInterval.mean() < sign * best.mean()) {
                best = confidenceInterval;
            }
        }
        boolean beats = false;
        for (ConfidenceInterval confidenceInterval : row) {
            boolean same = format.text(confidenceInterval.mean()).equals(format.text(best.mean()));
            if (!same && confidenceInterval.touches(best)) {
                return Double.NaN;
            }
            beats |= !same;
        }
        return beats ? best.mean() : Double.NaN;
    }

    private void cell(ConfidenceInterval confidenceInterval, double best, CommonFormat format) {
        String text = format.text(confidenceInterval.mean());
        boolean isBest = !Double.isNaN(best) && text.equals(format.text(best));
        page.append(isBest ? "<td class='best'>" : "<td>").append(text);
        String low = format.text(confidenceInterval.low());
        String high = format.text(confidenceInterval.high());
        if (confidenceInterval.seeds() > 1 && !low.equals(high)) {
            page.append("<small>").append(low).append("–<wbr>").append(high).append("</small>");
        }
        page.append("</td>");
    }

    private void tenants(List<ResultGroup> groups) {
        List<String> names = groups.getFirst().tenants();
        var formats = new LinkedHashMap<Metric, CommonFormat>();
        for (Metric metric : OF_TENANTS) {
            var column = new ArrayList<ConfidenceInterval>();
            names.forEach(
                    tenant ->
                            groups.forEach(
                                    resultGroup ->
                                            column.add(resultGroup.interval(tenant, metric))));
            formats.put(metric, format(metric, column));
        }
        page.append("<h3>Tenants</h3>\n<div class='scroll'><table>\n<thead><tr><th></th>");
        page.append("<th class='policy'>policy</th>");
        formats.forEach(
                (metric, format) ->
                        page.append("<th>").append(title(metric, format)).append("</th>"));
        page.append("</tr></thead>\n<tbody>\n");
        for (String tenant : names) {
            boolean first = true;
            for (ResultGroup resultGroup : groups) {
                page.append(first ? "<tr class='tenant'><th>" + Svg.escape(tenant) : "<tr><th>");
                page.append("</th><th class='policy'>").append(Svg.escape(resultGroup.name()));
                page.append("</th>");
                formats.forEach(
                        (metric, format) ->
                                tenantCell(groups, resultGroup, tenant, metric, format));
                page.append("</tr>\n");
                first = false;
            }
        }
        page.append("</tbody>\n</table></div>\n");
    }

    private void tenantCell(
            List<ResultGroup> groups,
            ResultGroup resultGroup,
            String tenant,
            Metric metric,
            CommonFormat format) {
        List<ConfidenceInterval> rivals =
                groups.stream().map(g -> g.interval(tenant, metric)).toList();
        cell(resultGroup.interval(tenant, metric), best(metric, rivals, format), format);
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
                <li>Allocation: GPU time held, as a part of the available GPU time. Utilisation: the
                part held by tasks that run and use it.</li>
                <li>Fragmentation: the part of the free GPUs that a task of this workload could not
                use because too few are free on the same node.</li>
                <li>Jain fairness: over the tenants' mean part of the time, from submission to end, in
                which their jobs ran. Finish-time fairness ρ: completion here divided by completion on
                a private, equal part of the cluster; over 1, sharing did the job harm.</li>
                <li>Waiting time at a quota: of the time in which a tenant has jobs in the queue, the
                part in which the quota was the reason that the scheduler gave last.</li>
                <li>Lost work: GPU hours of runs that were cut short without saving.</li>
                <li>Energy: of all GPUs, idle ones too; for tenants, of the GPUs they held. Cost: GPU
                hours held, at the market's price or the list price of the model.</li>
                <li>Curves over several seeds are means of the quantiles; pictures over time show the
                first seed.</li>
                </ul>
                """);
    }
}

package io.gpusched.lab.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.metrics.ConfidenceInterval;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.metrics.MetricValues;
import io.gpusched.sim.report.PrettyJson;

import java.util.List;

/// Writes the results as CSV and JSON for programs. Equal results give equal bytes.
final class ResultTables {
    private ResultTables() {}

    /// One row for each run.
    static String runs(List<RunResult> answers) {
        var csv = new StringBuilder("workload,policy,placer,seed");
        headings(csv);
        for (RunResult runResult : answers) {
            start(csv, runResult.policyRun());
            row(csv, runResult.runMeasurements().all());
        }
        return csv.toString();
    }

    /// One row for each tenant of each run.
    static String tenants(List<RunResult> answers) {
        var csv = new StringBuilder("workload,policy,placer,seed,tenant");
        headings(csv);
        for (RunResult runResult : answers) {
            runResult
                    .runMeasurements()
                    .tenants()
                    .forEach(
                            (tenant, metricValues) -> {
                                start(csv, runResult.policyRun());
                                csv.append(',').append(cell(tenant));
                                row(csv, metricValues);
                            });
        }
        return csv.toString();
    }

    /// One row for each metric of each policy on each workload: the mean over the seeds and its 95
    /// % interval.
    static String summary(List<ResultGroup> groups) {
        var csv = new StringBuilder("workload,policy,placer,metric,unit,mean,low,high,seeds\n");
        for (ResultGroup resultGroup : groups) {
            for (Metric metric : Metric.values()) {
                ConfidenceInterval confidenceInterval = resultGroup.interval(metric);
                if (confidenceInterval.seeds() > 0) {
                    csv.append(cell(resultGroup.labWorkload().name())).append(',');
                    csv.append(resultGroup.policyVariant().policy()).append(',');
                    csv.append(resultGroup.policyVariant().placer()).append(',');
                    csv.append(metric.key()).append(',').append(metric.unit()).append(',');
                    csv.append(NumberText.plain(confidenceInterval.mean())).append(',');
                    csv.append(NumberText.plain(confidenceInterval.low())).append(',');
                    csv.append(NumberText.plain(confidenceInterval.high())).append(',');
                    csv.append(confidenceInterval.seeds()).append('\n');
                }
            }
        }
        return csv.toString();
    }

    private static void headings(StringBuilder csv) {
        for (Metric metric : Metric.values()) {
            csv.append(',').append(metric.key());
        }
        csv.append('\n');
    }

    private static void start(StringBuilder csv, PolicyRun policyRun) {
        csv.append(cell(policyRun.labWorkload().name())).append(',');
        csv.append(policyRun.policyVariant().policy()).append(',');
        csv.append(policyRun.policyVariant().placer()).append(',');
        csv.append(policyRun.seed());
    }

    private static void row(StringBuilder csv, MetricValues metricValues) {
        for (Metric metric : Metric.values()) {
            csv.append(',').append(NumberText.plain(metricValues.of(metric)));
        }
        csv.append('\n');
    }

    private static String cell(String text) {
        return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /// All of it: every run with its tenants, and the intervals.
    static String json(List<RunResult> answers, List<ResultGroup> groups) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode runs = json.putArray("runs");
        for (RunResult runResult : answers) {
            ObjectNode run = runs.addObject();
            PolicyRun policyRun = runResult.policyRun();
            run.put("workload", policyRun.labWorkload().name());
            run.put("policy", policyRun.policyVariant().policy());
            run.put("placer", policyRun.policyVariant().placer());
            run.put("seed", policyRun.seed());
            RunResultFile.figures(run.putObject("all"), runResult.runMeasurements().all());
            ObjectNode tenants = run.putObject("tenants");
            runResult
                    .runMeasurements()
                    .tenants()
                    .forEach((name, each) -> RunResultFile.figures(tenants.putObject(name), each));
        }
        ArrayNode summary = json.putArray("summary");
        for (ResultGroup resultGroup : groups) {
            ObjectNode one = summary.addObject();
            one.put("workload", resultGroup.labWorkload().name());
            one.put("policy", resultGroup.policyVariant().policy());
            one.put("placer", resultGroup.policyVariant().placer());
            ObjectNode metrics = one.putObject("metrics");
            for (Metric metric : Metric.values()) {
                ConfidenceInterval confidenceInterval = resultGroup.interval(metric);
                if (confidenceInterval.seeds() > 0) {
                    ObjectNode figure = metrics.putObject(metric.key());
                    figure.put("mean", confidenceInterval.mean());
                    figure.put("low", confidenceInterval.low());
                    figure.put("high", confidenceInterval.high());
                }
            }
        }
        return PrettyJson.text(json);
    }
}

package io.gpusched.lab.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.metrics.Figures;
import io.gpusched.sim.metrics.Interval;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.report.PrettyJson;

import java.util.List;

/// The answers for programs: CSV and JSON. The same answers always give the same bytes.
final class Tables {
    private Tables() {}

    /// One row for each run.
    static String runs(List<Answer> answers) {
        var csv = new StringBuilder("workload,policy,placer,seed");
        headings(csv);
        for (Answer answer : answers) {
            start(csv, answer.question());
            row(csv, answer.measured().all());
        }
        return csv.toString();
    }

    /// One row for each tenant of each run.
    static String tenants(List<Answer> answers) {
        var csv = new StringBuilder("workload,policy,placer,seed,tenant");
        headings(csv);
        for (Answer answer : answers) {
            answer.measured()
                    .tenants()
                    .forEach(
                            (tenant, figures) -> {
                                start(csv, answer.question());
                                csv.append(',').append(cell(tenant));
                                row(csv, figures);
                            });
        }
        return csv.toString();
    }

    /// One row for each figure of each contestant on each course: its mean over the seeds and the
    /// 95 % interval around it.
    static String summary(List<Group> groups) {
        var csv = new StringBuilder("workload,policy,placer,metric,unit,mean,low,high,seeds\n");
        for (Group group : groups) {
            for (Metric metric : Metric.values()) {
                Interval interval = group.interval(metric);
                if (interval.seeds() > 0) {
                    csv.append(cell(group.course().name())).append(',');
                    csv.append(group.contestant().policy()).append(',');
                    csv.append(group.contestant().placer()).append(',');
                    csv.append(metric.key()).append(',').append(metric.unit()).append(',');
                    csv.append(Numbers.plain(interval.mean())).append(',');
                    csv.append(Numbers.plain(interval.low())).append(',');
                    csv.append(Numbers.plain(interval.high())).append(',');
                    csv.append(interval.seeds()).append('\n');
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

    private static void start(StringBuilder csv, Question question) {
        csv.append(cell(question.course().name())).append(',');
        csv.append(question.contestant().policy()).append(',');
        csv.append(question.contestant().placer()).append(',');
        csv.append(question.seed());
    }

    private static void row(StringBuilder csv, Figures figures) {
        for (Metric metric : Metric.values()) {
            csv.append(',').append(Numbers.plain(figures.of(metric)));
        }
        csv.append('\n');
    }

    private static String cell(String text) {
        return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /// All of it: every run with its tenants, and the intervals.
    static String json(List<Answer> answers, List<Group> groups) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode runs = json.putArray("runs");
        for (Answer answer : answers) {
            ObjectNode run = runs.addObject();
            Question question = answer.question();
            run.put("workload", question.course().name());
            run.put("policy", question.contestant().policy());
            run.put("placer", question.contestant().placer());
            run.put("seed", question.seed());
            AnswerFile.figures(run.putObject("all"), answer.measured().all());
            ObjectNode tenants = run.putObject("tenants");
            answer.measured()
                    .tenants()
                    .forEach((name, each) -> AnswerFile.figures(tenants.putObject(name), each));
        }
        ArrayNode summary = json.putArray("summary");
        for (Group group : groups) {
            ObjectNode one = summary.addObject();
            one.put("workload", group.course().name());
            one.put("policy", group.contestant().policy());
            one.put("placer", group.contestant().placer());
            ObjectNode metrics = one.putObject("metrics");
            for (Metric metric : Metric.values()) {
                Interval interval = group.interval(metric);
                if (interval.seeds() > 0) {
                    ObjectNode figure = metrics.putObject(metric.key());
                    figure.put("mean", interval.mean());
                    figure.put("low", interval.low());
                    figure.put("high", interval.high());
                }
            }
        }
        return PrettyJson.text(json);
    }
}

package io.gpusched.sim.report;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.sim.scenario.ScenarioDurations;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Formats events and requests for the timeline.
final class TimelineText {
    private TimelineText() {}

    static String of(JobSpec spec) {
        var text = new StringBuilder(spec.tenant().name());
        long gpus = count(spec);
        String model =
                spec.roles().getFirst().shape().models().stream()
                        .map(GpuModel::toString)
                        .collect(Collectors.joining("|"));
        text.append(' ').append(part(spec)).append(gpus);
        text.append(model.isEmpty() ? (gpus == 1 ? " GPU" : " GPUs") : "×" + model);
        text.append(spec.tasks() == 1 ? "" : " in " + spec.tasks() + " tasks");
        text.append(spec.priority() == 0 ? "" : " priority " + spec.priority());
        text.append(spec.limit().isZero() ? "" : " limit " + ScenarioDurations.rough(spec.limit()));
        return text.toString();
    }

    /// The GPUs of all tasks: whole GPUs, shares or slices.
    private static long count(JobSpec spec) {
        return switch (spec.roles().getFirst().shape().gpus()) {
            case GpuRequest.None none -> 0;
            case GpuRequest.Whole whole -> spec.milliGpus() / 1000;
            case GpuRequest.Slice slice -> (long) slice.count() * spec.tasks();
            case GpuRequest.Share share -> (long) share.count() * spec.tasks();
        };
    }

    private static String part(JobSpec spec) {
        return switch (spec.roles().getFirst().shape().gpus()) {
            case GpuRequest.None none -> "";
            case GpuRequest.Whole whole -> whole.locality() == Locality.NVLINK ? "joined " : "";
            case GpuRequest.Slice slice -> slice.profile() + " of ";
            case GpuRequest.Share share -> Math.ceilDiv(share.milli(), 10) + "% of ";
        };
    }

    /// The command in short: `cancel job-3`.
    static String of(Input input) {
        String verb = input.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return switch (input) {
            case Command.Cancel c -> verb + " " + c.job();
            case Command.Hold c -> verb + " " + c.job();
            case Command.Release c -> verb + " " + c.job();
            case Command.Reprioritise c -> verb + " " + c.job();
            case Command.PutTenant c -> "tenant " + c.tenant().id();
            default -> verb;
        };
    }

    static String of(Outcome outcome) {
        String result = outcome.result().name().toLowerCase(Locale.ROOT);
        return outcome.exitCode() > 0 ? result + " with " + outcome.exitCode() : result;
    }

    /// The reason, unless it only repeats the result.
    static String why(Outcome outcome) {
        String result = outcome.result().name().toLowerCase(Locale.ROOT);
        return outcome.reason().equals(result) ? "" : outcome.reason();
    }

    static String of(StopCause.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String of(NodeStatus status) {
        return switch (status.reach()) {
            case LOST -> "lost";
            case UNREACHABLE -> "unreachable";
            case UP -> status.draining() ? "draining" : status.cordoned() ? "cordoned" : "open";
        };
    }

    static String of(Node node) {
        String gpus =
                node.gpus().isEmpty()
                        ? "no GPUs"
                        : node.gpus().size() + "×" + node.gpus().getFirst().model();
        return node.id() + " " + gpus;
    }

    static String of(GpuCondition condition) {
        return condition.fit() ? condition.heat().name().toLowerCase(Locale.ROOT) : "unfit";
    }

    /// `cost .310 = best-fit .210 + spare-scarce .100`; empty when nothing was weighed.
    static String of(List<ScoreTerm> terms) {
        if (terms.isEmpty()) {
            return "";
        }
        double sum = 0;
        for (ScoreTerm scoreTerm : terms) {
            sum += scoreTerm.weight() * scoreTerm.cost();
        }
        return "cost "
                + decimal(sum)
                + " = "
                + terms.stream()
                        .map(
                                scoreTerm ->
                                        scoreTerm.scorer()
                                                + " "
                                                + decimal(scoreTerm.weight() * scoreTerm.cost()))
                        .collect(Collectors.joining(" + "));
    }

    static String because(List<RefusalCount> reasons) {
        return reasons.stream()
                .map(
                        refusalCount ->
                                refusalCount.refusal().why()
                                        + (refusalCount.nodes() == 0
                                                ? ""
                                                : " (" + count(refusalCount.nodes()) + ")"))
                .collect(Collectors.joining("; "));
    }

    private static String count(int nodes) {
        return nodes == 1 ? "1 node" : nodes + " nodes";
    }

    private static String decimal(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.startsWith("0") ? text.substring(1) : text;
    }
}

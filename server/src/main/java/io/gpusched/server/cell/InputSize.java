package io.gpusched.server.cell;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Toleration;

import java.util.Collection;
import java.util.List;

/// Estimates how many bytes an input may add to a batch. Only the parts that users or agents can
/// make large are counted.
final class InputSize {
    private static final long ANYTHING = 200;
    private static final long NODE = 1000;
    private static final long TASK = 50;
    private static final long PAIR = 300;

    private InputSize() {}

    static long of(Input input) {
        return ANYTHING
                + switch (input) {
                    case Command.Submit submit -> of(submit.spec());
                    case Report.Hello hello -> of(hello.nodes()) + hello.running().size() * TASK;
                    case Report.NodeDescribed described -> of(List.of(described.node()));
                    case Report.TaskEnded ended -> ended.exit().detail().length();
                    case Command.Observe observe -> of(observe.neighbours());
                    case Command.Import all ->
                            (all.runtimes().size() + all.slowdowns().size()) * PAIR;
                    default -> 0;
                };
    }

    private static long of(JobSpec spec) {
        long sum = of(spec.payload()) + of(spec.labels());
        for (Role role : spec.roles()) {
            sum += of(role.shape().nodes()) + role.shape().requires().words().length();
            for (Toleration toleration : role.shape().tolerates()) {
                sum += toleration.toString().length();
            }
        }
        return sum;
    }

    private static long of(Collection<Node> nodes) {
        long sum = 0;
        for (Node node : nodes) {
            sum += NODE + of(node.labels());
            for (Taint taint : node.taints()) {
                sum += taint.toString().length();
            }
        }
        return sum;
    }

    private static long of(Payload payload) {
        return payload.script().length()
                + payload.attachment().length()
                + of(payload.command())
                + of(payload.args())
                + of(payload.environment());
    }

    private static long of(Labels labels) {
        long sum = 0;
        for (var entry : labels.entries().entrySet()) {
            sum += entry.getKey().length() + entry.getValue().length();
        }
        return sum;
    }

    private static long of(List<String> words) {
        long sum = 0;
        for (String word : words) {
            sum += word.length();
        }
        return sum;
    }
}

package io.gpusched.server.cell;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;

import java.util.List;

/// How many bytes an input may add to a batch, about. Only what people or agents can make large is
/// looked at.
final class Weight {
    private static final long ANYTHING = 200;
    private static final long NODE = 1000;
    private static final long TASK = 50;
    private static final long PAIR = 300;

    private Weight() {}

    static long of(Input input) {
        return ANYTHING
                + switch (input) {
                    case Command.Submit submit ->
                            of(submit.spec().payload()) + of(submit.spec().labels());
                    case Report.Hello hello ->
                            hello.nodes().size() * NODE + hello.running().size() * TASK;
                    case Command.Observe observe -> of(observe.neighbours());
                    case Command.Import all ->
                            (all.runtimes().size() + all.slowdowns().size()) * PAIR;
                    default -> 0;
                };
    }

    private static long of(Payload payload) {
        return payload.script().length()
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

package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads how a node is to be drained: `{"stop": true}`, `{"deadline_seconds": 3600}`, or nothing.
public final class DrainRequest {
    private static final int LONGEST_SECONDS = (int) Duration.ofDays(365).toSeconds();

    /// What was read, or what is wrong with it.
    public sealed interface Result {
        /// @param stop whether jobs are stopped at once
        /// @param deadline after this time jobs that still run are stopped; zero for never
        record Valid(boolean stop, Duration deadline) implements Result {}

        record Invalid(List<Problem> problems) implements Result {}
    }

    private DrainRequest() {}

    public static Result read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        boolean stop = requestFields.flag("stop", false);
        int seconds = requestFields.integer("deadline_seconds", 0, 0, LONGEST_SECONDS);
        if (stop && seconds > 0) {
            requestFields.problem(
                    "deadline_seconds",
                    "stop ends jobs at once, so a deadline of " + seconds + " s has no effect",
                    "leave out one of the two");
        }
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return problems.isEmpty()
                ? new Result.Valid(stop, Duration.ofSeconds(seconds))
                : new Result.Invalid(List.copyOf(problems));
    }
}

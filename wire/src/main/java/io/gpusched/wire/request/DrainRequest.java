package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A request to drain a node: `{"stop": true}`, `{"deadline_seconds": 3600}`, or an empty object.
///
/// @param stop whether the node's jobs are stopped at once
/// @param deadline after this time, jobs that still run are stopped; zero means never
public record DrainRequest(boolean stop, Duration deadline) {
    /// Jobs on the node run to their end.
    public static final DrainRequest GENTLE = new DrainRequest(false, Duration.ZERO);

    private static final int LONGEST_SECONDS = (int) Duration.ofDays(365).toSeconds();

    public static Parsed<DrainRequest, Problem> read(JsonTree.Mapping body) {
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
        return Parsed.of(new DrainRequest(stop, Duration.ofSeconds(seconds)), List.of(), problems);
    }
}

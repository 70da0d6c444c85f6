package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A request to silence an alert: `{"minutes": 60, "reason": "new fans are ordered"}`.
///
/// @param reason in words, for others; may be empty
public record SilenceRequest(Duration time, String reason) {
    private static final int USUAL_MINUTES = 60;
    private static final int MOST_MINUTES = 365 * 24 * 60;
    private static final int LONGEST_REASON = 500;

    public static Parsed<SilenceRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        int minutes = requestFields.integer("minutes", USUAL_MINUTES, 1, MOST_MINUTES);
        String reason = requestFields.text("reason", "", LONGEST_REASON);
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return Parsed.of(
                new SilenceRequest(Duration.ofMinutes(minutes), reason.strip()),
                List.of(),
                problems);
    }
}

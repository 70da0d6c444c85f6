package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.util.ArrayList;
import java.util.List;

/// A request to put the shadow policy in force.
///
/// @param force whether also a policy that is not better, or not yet, is promoted
/// @param reason in words, for the record; may be empty
public record PromotionRequest(boolean force, String reason) {
    /// Shorter than in a [PolicyRequest], because the scheduler puts some words before it.
    private static final int LONGEST_REASON = 900;

    public static Parsed<PromotionRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        boolean force = requestFields.flag("force", false);
        String reason = requestFields.text("reason", "", LONGEST_REASON);
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return Parsed.of(new PromotionRequest(force, reason.strip()), List.of(), problems);
    }
}

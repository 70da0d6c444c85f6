package io.gpusched.wire.request;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;

import java.util.ArrayList;
import java.util.List;

/// A request to put another policy in force.
///
/// @param reason in words, for the record; may be empty
public record PolicyRequest(String policy, String reason) {
    public static Parsed<PolicyRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        String policy = requestFields.text("policy", "", RequestBounds.NAME);
        String reason = requestFields.text("reason", "", Command.SetPolicy.LONGEST_REASON);
        if (policy.isBlank() && problems.isEmpty()) {
            requestFields.problem(
                    "policy",
                    "expected the name of a policy, found none",
                    "add \"policy\": \"fair\"; GET /api/v1/policy lists all");
        }
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return Parsed.of(new PolicyRequest(policy.strip(), reason.strip()), List.of(), problems);
    }
}

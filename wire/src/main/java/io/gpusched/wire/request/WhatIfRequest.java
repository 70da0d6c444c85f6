package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.util.ArrayList;
import java.util.List;

/// A request to replay the journal with another policy or placement strategy.
///
/// @param policy empty for the policy in force
/// @param placement a placement strategy; empty for the strategy in force
/// @param since a time or the number of a batch; empty for the beginning
public record WhatIfRequest(String policy, String placement, String since) {
    public static Parsed<WhatIfRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        String policy = requestFields.text("policy", "", RequestBounds.NAME);
        String placement = requestFields.text("placement", "", RequestBounds.NAME);
        String since = requestFields.text("since", "", RequestBounds.NAME);
        if ((policy + placement + since).isBlank() && problems.isEmpty()) {
            requestFields.problem(
                    "policy",
                    "expected a policy or a placement to try, found neither",
                    "add \"policy\": \"fair\"; with \"since\" alone, the rules in force are tried");
        }
        for (String unknown : requestFields.unknown()) {
            problems.add(new Problem(Problem.Code.INVALID, "", unknown, ""));
        }
        return Parsed.of(
                new WhatIfRequest(policy.strip(), placement.strip(), since.strip()),
                List.of(),
                problems);
    }
}

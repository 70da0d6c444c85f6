package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;

import java.util.ArrayList;
import java.util.List;

/// Reads what people want to know about another policy.
public final class WhatIfRequest {
    /// What was read, or what is wrong with it.
    public sealed interface Result {
        /// @param placement how places are chosen; empty for the way in force
        /// @param since a time or the number of a batch; empty for the beginning
        record Valid(String policy, String placement, String since) implements Result {}

        record Invalid(List<Problem> problems) implements Result {}
    }

    private WhatIfRequest() {}

    public static Result read(JsonTree.Mapping body) {
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
        return problems.isEmpty()
                ? new Result.Valid(policy.strip(), placement.strip(), since.strip())
                : new Result.Invalid(List.copyOf(problems));
    }
}

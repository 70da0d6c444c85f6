package io.gpusched.core.engine;

import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Term;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Why a job is where it is, for people.
///
/// @param reasons what keeps it, each with the number of nodes it holds for
/// @param terms what decided on the place it has or would get now
/// @param reserved when its reservation begins; null when it has none
public record Explanation(
        JobId job,
        String summary,
        List<Reason> reasons,
        List<Term> terms,
        @Nullable Instant reserved) {
    public Explanation {
        reasons = List.copyOf(reasons);
        terms = List.copyOf(terms);
    }
}

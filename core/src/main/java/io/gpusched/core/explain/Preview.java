package io.gpusched.core.explain;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import java.util.List;

/// The outcome of a submission, computed without accepting it.
public sealed interface Preview {
    /// It would be refused, for these reasons.
    record Refused(List<Problem> problems) implements Preview {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /// It would repeat an earlier submission with the same key.
    record Repeats(JobId job) implements Preview {}

    /// It would be accepted; the explanation says whether it would start at once, and where.
    ///
    /// @param job as it would be right after the submission
    /// @param warnings what the user should know although the job would be accepted
    record Accepted(Job job, Explanation explanation, List<String> warnings) implements Preview {
        public Accepted {
            warnings = List.copyOf(warnings);
        }
    }
}

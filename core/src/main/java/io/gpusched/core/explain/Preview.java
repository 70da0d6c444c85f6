package io.gpusched.core.explain;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import java.util.List;

/// What would become of a submission, worked out without changing anything.
public sealed interface Preview {
    /// It would be refused, for these reasons.
    record Refused(List<Problem> problems) implements Preview {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /// It would only repeat an earlier one that had the same key.
    record Repeats(JobId job) implements Preview {}

    /// It would be taken; the explanation says whether it would start at once, and where.
    ///
    /// @param job as it would be right after the submission
    /// @param warnings what the asker should know all the same
    record Accepted(Job job, Explanation explanation, List<String> warnings) implements Preview {
        public Accepted {
            warnings = List.copyOf(warnings);
        }
    }
}

package io.gpusched.core.explain;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;

import java.util.List;

/// A change of a request with which the job would start now. It was tried in the ledger: `on` is
/// the placement that the job would get.
///
/// @param field the field of a submission that would change, or `quota`, which is not the job's
/// @param words the change as a phrase for users
/// @param victims jobs that would be preempted; empty if the GPUs are free
public record RequestChange(
        String field, String from, String to, String words, Placement on, List<JobId> victims) {
    public RequestChange {
        victims = List.copyOf(victims);
    }
}

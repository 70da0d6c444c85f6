package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Decides who leaves so that `job` can start; an empty list when nobody does. The victims together
/// must really make the job fit, and each must be of strictly lower base priority. Where nobody
/// leaves for a job, nobody leaves for a less important one of the same tenant that needs the same.
public interface Preemptor {
    List<Job> victims(Job job, ClusterView cluster, Room room, Instant now);
}

/// The queue of waiting jobs: classes of equal jobs, the order in which their heads take turns, and
/// the classes that rest until something changes.
///
/// Read [io.gpusched.core.queue.JobQueue] first: it is the queue as a cycle uses it. `WaitQueue`
/// keeps it; only `core.state` adds and removes jobs. `TenantTree` orders tenants by share,
/// `QuotaQueue` finds the first job that waits for a quota. Heaps and bit sets of this package hold
/// numbers, not jobs. No node is known here, and no job is placed here.
///
///     3 classes awake: team-a 8 GPUs (job-7 …), team-b 1 GPU (job-9 …), team-b 4 GPUs (job-12)
///     first()   →   the class of job-7; refused for capacity, it rests until capacity grows
@NullMarked
package io.gpusched.core.queue;

import org.jspecify.annotations.NullMarked;

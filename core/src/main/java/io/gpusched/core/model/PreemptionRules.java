package io.gpusched.core.model;

/// Whether a tenant's jobs may be preempted, whether they may preempt others, and how often one job
/// may be preempted (0 = no limit).
public record PreemptionRules(boolean mayBePreempted, boolean mayPreempt, int mostPerJob) {
    public static final PreemptionRules DEFAULT = new PreemptionRules(false, true, 0);
}

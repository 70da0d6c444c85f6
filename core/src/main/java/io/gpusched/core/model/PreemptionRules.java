package io.gpusched.core.model;

/// Whether a tenant's jobs may be made to leave, may make others leave, and how often one job may
/// be made to leave (0 = as often as needed).
public record PreemptionRules(boolean mayBePreempted, boolean mayPreempt, int mostPerJob) {
    public static final PreemptionRules DEFAULT = new PreemptionRules(false, true, 0);
}

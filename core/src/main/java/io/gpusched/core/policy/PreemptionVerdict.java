package io.gpusched.core.policy;

import java.util.List;

/// Whether a running job leaves for one that waits, and why not.
public enum PreemptionVerdict {
    /// It leaves, if that makes the other fit.
    LEAVES("stopping it does not make room enough", "stopping them does not make room enough"),

    /// It counts for as much as the other, or for more.
    NOT_BELOW("", ""),

    SWITCHED_OFF(
            "preemption is switched off",
            "preemption is switched off",
            "scheduler.enable_preemption is set to true"),

    BY_POLICY("this policy stops nobody", "this policy stops nobody", "another policy is chosen"),

    MAY_NOT_PREEMPT(
            "the tenant of the waiting job may not preempt others",
            "the tenant of the waiting job may not preempt others",
            "can_preempt_others of the job's tenant is set to true"),

    FORBIDDEN(
            "its tenant does not allow preemption",
            "their tenants do not allow preemption",
            "allow_preemption of the holding tenants is set to true"),

    OTHER_TENANT(
            "it is of another tenant, against which no guarantee covers the waiting job",
            "they are of other tenants, against which no guarantee covers the waiting job"),

    GUARANTEED(
            "its tenant would fall below its guarantee without it",
            "their tenants would fall below their guarantees without them"),

    NEVER_AGAIN("it would not be queued again", "they would not be queued again"),

    STOPPED_OFTEN(
            "it was stopped as often as its tenant allows",
            "they were stopped as often as their tenants allow"),

    STOPPING("it is being stopped already", "they are being stopped already"),

    /// See [io.gpusched.core.policy.preempt.LowestFirst].
    EARNED(
            "what it earned by waiting still protects it",
            "what they earned by waiting still protects them"),

    ENDS_SOON("it is about to end by itself", "they are about to end by themselves");

    private final String one;
    private final String many;
    private final List<RetryCondition> liftedBy;

    PreemptionVerdict(String one, String many) {
        this.one = one;
        this.many = many;
        this.liftedBy = List.of(new RetryCondition.Capacity());
    }

    PreemptionVerdict(String one, String many, String change) {
        this.one = one;
        this.many = many;
        this.liftedBy = List.of(new RetryCondition.Changed(change));
    }

    /// The reason of so many jobs, for people.
    public String words(int jobs) {
        return jobs == 1 ? one : many;
    }

    public List<RetryCondition> liftedBy() {
        return liftedBy;
    }
}

package io.gpusched.core.policy;

import java.util.List;

/// Whether a running job may be preempted for a waiting one, and why not.
public enum PreemptionVerdict {
    /// It may be preempted, if that makes the other fit.
    LEAVES(
            "stopping it would not free enough capacity",
            "stopping them would not free enough capacity"),

    /// It is as important as the other, or more.
    NOT_BELOW("", ""),

    SWITCHED_OFF(
            "preemption is disabled",
            "preemption is disabled",
            "scheduler.enable_preemption is set to true"),

    BY_POLICY(
            "this policy does not preempt jobs",
            "this policy does not preempt jobs",
            "another policy is chosen"),

    MAY_NOT_PREEMPT(
            "the tenant of the waiting job may not preempt others",
            "the tenant of the waiting job may not preempt others",
            "can_preempt_others of the job's tenant is set to true"),

    ONLY_WARM(
            "the waiting replica would only be kept warm, and no job is preempted for that",
            "the waiting replica would only be kept warm, and no job is preempted for that"),

    FORBIDDEN(
            "its tenant does not allow preemption",
            "their tenants do not allow preemption",
            "allow_preemption of the holding tenants is set to true"),

    OTHER_TENANT(
            "it belongs to another tenant, and no guarantee covers the waiting job against it",
            "they belong to other tenants, and no guarantee covers the waiting job against them"),

    GUARANTEED(
            "its tenant would fall below its guarantee without it",
            "their tenants would fall below their guarantees without them"),

    NEVER_AGAIN("it would not be requeued", "they would not be requeued"),

    STOPPED_OFTEN(
            "it was stopped as often as its tenant allows",
            "they were stopped as often as their tenants allow"),

    STOPPING("it is being stopped already", "they are being stopped already"),

    /// See [io.gpusched.core.policy.preempt.PriorityPreemptor].
    EARNED("its waiting time still protects it", "their waiting time still protects them"),

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

    /// The reason as a phrase about this many jobs.
    public String words(int jobs) {
        return jobs == 1 ? one : many;
    }

    public List<RetryCondition> liftedBy() {
        return liftedBy;
    }
}

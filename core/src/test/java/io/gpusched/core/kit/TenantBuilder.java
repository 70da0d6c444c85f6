package io.gpusched.core.kit;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

/// A tenant without bounds, except for what a test says. Its jobs may be preempted.
public final class TenantBuilder {
    private final TenantId id;
    private @Nullable TenantId parent;
    private long guaranteedGpus;
    private Limits limit = Limits.NONE;
    private PreemptionRules rules = new PreemptionRules(true, true, 0);

    private TenantBuilder(String name) {
        id = new TenantId(name);
    }

    public static TenantBuilder aTenant(String name) {
        return new TenantBuilder(name);
    }

    public TenantBuilder under(String name) {
        parent = new TenantId(name);
        return this;
    }

    public TenantBuilder guaranteed(long gpus) {
        guaranteedGpus = gpus;
        return this;
    }

    /// At most so many GPUs.
    public TenantBuilder limit(long gpus) {
        return limit(
                new Limits(
                        gpus * 1000,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED));
    }

    public TenantBuilder limit(Limits value) {
        limit = value;
        return this;
    }

    /// @param mostPerJob how often one job may be preempted; 0 for any number of times
    public TenantBuilder rules(boolean mayBePreempted, boolean mayPreempt, int mostPerJob) {
        rules = new PreemptionRules(mayBePreempted, mayPreempt, mostPerJob);
        return this;
    }

    public Tenant build() {
        var guaranteed = new Limits(guaranteedGpus * 1000, 0, 0, 0, 0);
        return new Tenant(id, parent, guaranteed, limit, 1, rules, true, Labels.NONE);
    }
}

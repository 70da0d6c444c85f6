package io.gpusched.core.kit.rule;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.RetryCondition;

import java.time.Instant;

/// Retry conditions by their short names, for `liftedBy`.
public final class RetryConditions {
    private RetryConditions() {}

    public static RetryCondition capacity() {
        return new RetryCondition.Capacity();
    }

    public static RetryCondition cooled() {
        return new RetryCondition.Cooled();
    }

    public static RetryCondition tenant(String name) {
        return new RetryCondition.OfTenant(new TenantId(name));
    }

    public static RetryCondition at(Instant when) {
        return new RetryCondition.At(when);
    }

    public static RetryCondition fleet() {
        return new RetryCondition.Fleet();
    }

    public static RetryCondition opened() {
        return new RetryCondition.Opened();
    }

    public static RetryCondition heard() {
        return new RetryCondition.Heard();
    }

    public static RetryCondition changed(String what) {
        return new RetryCondition.Changed(what);
    }
}

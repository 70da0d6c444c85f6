package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

/// What a refusal says besides its reason.
public final class RefusalAssert {
    private final Refusal refusal;

    private RefusalAssert(Refusal refusal) {
        this.refusal = refusal;
    }

    /// The refusal is there and gives this reason.
    static RefusalAssert because(String why, @Nullable Refusal refusal) {
        if (refusal == null) {
            throw new AssertionError("expected a refusal because \"" + why + "\", found none");
        }
        assertThat(refusal.why()).as("reason of %s", refusal).isEqualTo(why);
        assertThat(refusal.liftedBy()).as("retry conditions of %s", refusal).isNotEmpty();
        return new RefusalAssert(refusal);
    }

    static void isAbsent(@Nullable Refusal refusal) {
        assertThat(refusal).as("refusal").isNull();
    }

    /// The name of the rule, as the refusal gives it.
    public RefusalAssert by(String name) {
        assertThat(refusal.by()).as("rule of %s", refusal).isEqualTo(name);
        return this;
    }

    /// Exactly these conditions make it worth trying again.
    public RefusalAssert liftedBy(RetryCondition... conditions) {
        assertThat(refusal.liftedBy()).containsExactly(conditions);
        return this;
    }
}

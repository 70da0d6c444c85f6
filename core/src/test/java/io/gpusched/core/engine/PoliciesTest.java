package io.gpusched.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.order.RandomOrder;

import org.junit.jupiter.api.Test;

import java.util.Objects;

final class PoliciesTest {
    @Test
    void aPolicyIsAnOrderAndAWayToBackfill() {
        Policy policy =
                Objects.requireNonNull(
                        Policies.named("random-skip", EngineSettings.DEFAULT.policy()));
        assertThat(policy.order()).isInstanceOf(RandomOrder.class);
        assertThat(policy.backfill()).isEqualTo(Backfill.SKIP);
    }

    @Test
    void aNameThatIsNoPolicyGivesNone() {
        assertThat(Policies.named("random-sleep", EngineSettings.DEFAULT.policy())).isNull();
    }
}

package io.gpusched.core.queue;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// The quick guess whether a job belongs to a class: a yes must never be wrong.
final class WaitClassTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /// All jobs here share their roles, as jobs of one shape do in a ledger.
    private static final JobSpec SHARED = aJob().spec();

    private static Job like(JobBuilder builder) {
        return Job.submitted(new JobId(2), builder.spec().withRoles(SHARED.roles()), NOW);
    }

    private static boolean holds(JobBuilder one, JobBuilder other) {
        var key = WaitClass.Key.of(like(one), false);
        boolean guess = new WaitClass(key, 0, new QueueLinks()).holds(like(other));
        assertThat(guess && !WaitClass.Key.of(like(other), false).equals(key))
                .as("a wrong yes")
                .isFalse();
        return guess;
    }

    @Test
    void equalJobsBelongTogether() {
        assertThat(holds(aJob(), aJob())).isTrue();
        assertThat(holds(aJob().replicaOf("chat"), aJob().replicaOf("chat"))).isTrue();
    }

    @Test
    void replicasOfTwoPoolsDoNot() {
        assertThat(holds(aJob().replicaOf("chat"), aJob().replicaOf("code"))).isFalse();
        assertThat(holds(aJob().replicaOf("chat"), aJob())).isFalse();
        assertThat(holds(aJob(), aJob().replicaOf("chat"))).isFalse();
    }

    @Test
    void jobsThatMayWaitForCleanPowerDoNotJoinOthers() {
        assertThat(holds(aJob(), aJob().slack(Duration.ofHours(2)))).isFalse();
        assertThat(holds(aJob().slack(Duration.ofHours(2)), aJob())).isFalse();
    }

    @Test
    void otherPrioritiesAndTenantsDoNot() {
        assertThat(holds(aJob(), aJob().priority(7))).isFalse();
        assertThat(holds(aJob(), aJob().of("other"))).isFalse();
    }
}

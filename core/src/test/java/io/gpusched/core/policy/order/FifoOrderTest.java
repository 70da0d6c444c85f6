package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class FifoOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void theEarlierSubmissionGoesFirstWhateverElseIsAsked() {
        Job early = aJob().gpus(8).priority(0).waiting(2, NOON);
        Job late = aJob().gpus(1).priority(900).waiting(1, NOON.plusNanos(1000));
        assertThat(new FifoOrder()).puts(early).before(late);
    }

    @Test
    void jobsOfOneInstantTie() {
        assertThat(new FifoOrder())
                .ties(aJob().gpus(8).waiting(1, NOON), aJob().priority(7).waiting(2, NOON));
    }
}

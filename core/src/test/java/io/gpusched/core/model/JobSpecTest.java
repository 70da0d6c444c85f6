package io.gpusched.core.model;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class JobSpecTest {
    private static final JobSpec SPEC =
            JobSpec.builder(new TenantId("team-a"), aJob().gpus(2).spec().roles())
                    .name("train")
                    .priority(7)
                    .kind("bert")
                    .limit(Duration.ofHours(2))
                    .labels(Labels.of("a", "b"))
                    .memoryPerGpu(true)
                    .build();

    @Test
    void aJobWithAnotherPayloadIsTheSameInAllElse() {
        var payload = new Payload("run", List.of(), List.of(), Labels.NONE, "", "");
        JobSpec other = SPEC.withPayload(payload);
        assertThat(other.payload()).isEqualTo(payload);
        assertThat(other.memoryPerGpu()).as("how quotas count its memory").isTrue();
        assertThat(other.withPayload(SPEC.payload())).isEqualTo(SPEC);
    }

    @Test
    void everyPartCanBeChangedAndChangedBack() {
        assertThat(SPEC.withLimit(Duration.ZERO).withLimit(SPEC.limit())).isEqualTo(SPEC);
        assertThat(SPEC.withLabels(Labels.NONE).withLabels(SPEC.labels())).isEqualTo(SPEC);
        assertThat(SPEC.withRoles(aJob().gpus(1).spec().roles()).withRoles(SPEC.roles()))
                .isEqualTo(SPEC);
        assertThat(SPEC.countingMemoryPerGpu()).isEqualTo(SPEC);
    }
}

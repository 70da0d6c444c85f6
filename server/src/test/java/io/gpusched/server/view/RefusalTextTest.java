package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

final class RefusalTextTest {
    private static final RefusalCount CORES =
            new RefusalCount(Refusal.untilCapacity("cpu", "not enough free CPU cores"), 3);

    @Test
    void aJobThatNamedNoCoresIsToldOfTheDefault() {
        assertThat(text(CORES, job(1000, 1)))
                .isEqualTo("not enough free CPU cores (the job asks for 1 CPU core, the default)");
    }

    @Test
    void theDefaultIsSharedByTheTasksOfAGang() {
        assertThat(text(CORES, job(250, 4)))
                .isEqualTo(
                        "not enough free CPU cores (each task asks for 0.25 CPU cores, its part of"
                                + " the default of 1 CPU core for the whole job)");
    }

    @Test
    void coresThatWereAskedForAreNamed() {
        assertThat(text(CORES, job(8000, 1)))
                .isEqualTo("not enough free CPU cores (the job asks for 8 CPU cores)");
        assertThat(text(CORES, job(1500, 2)))
                .isEqualTo("not enough free CPU cores (each task asks for 1.5 CPU cores)");
    }

    @Test
    void otherReasonsStayAsTheyAre() {
        var memory = new RefusalCount(Refusal.untilCapacity("memory", "not enough free memory"), 3);
        assertThat(text(memory, job(1000, 1))).isEqualTo("not enough free memory");
    }

    private static String text(RefusalCount refusalCount, Job job) {
        return RefusalText.of(refusalCount.why(), refusalCount, job);
    }

    private static Job job(int milliCpuEach, int tasks) {
        var shape = Shape.of(GpuRequest.whole(1, 0), new Resources(milliCpuEach, 0));
        var spec =
                JobSpec.builder(new TenantId("a"), List.of(Role.of(shape, tasks)))
                        .priority(100)
                        .build();
        return Job.submitted(new JobId(1), spec, Instant.EPOCH);
    }
}

package io.gpusched.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Jobs that may miss their deadline are found, others are not.
final class DeadlineAtRiskTest {
    private final AlertCluster cluster = new AlertCluster().tenant("a").join("n1", 1);

    private void submit(Duration within, Duration work) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 100));
        var spec =
                JobSpec.builder(new TenantId("a"), List.of(Role.of(shape, 1)))
                        .onLoss(new Interruption(Duration.ZERO, true, true))
                        .deadline(new JobDeadline(null, within, work, Duration.ofMinutes(6)))
                        .build();
        cluster.handle(new Command.Submit(spec, "", 0, false, "test"));
    }

    private List<Finding> found() {
        return new DeadlineAtRisk().evaluate(cluster.picture());
    }

    @Test
    void aJobThatWaitsBeyondItsLastSafeStartIsFound() {
        cluster.start(cluster.submit("a", 1, 1));
        submit(Duration.ofHours(3), Duration.ofHours(2));
        assertThat(found()).isEmpty();
        cluster.after(Duration.ofMinutes(55));
        assertThat(found())
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.subject().job()).isEqualTo(new JobId(2));
                            assertThat(finding.message())
                                    .isEqualTo(
                                            "1 job of tenant a may miss a deadline; job-2 has a"
                                                    + " slack of 5 min and waits for capacity");
                            assertThat(finding.remedy()).contains("gpu-cli explain job-2");
                        });
        cluster.after(Duration.ofMinutes(10));
        assertThat(found().getFirst().message()).endsWith("too little time left by 5 min");
    }

    @Test
    void aJobThatRunsWithSlackIsNotFound() {
        submit(Duration.ofHours(3), Duration.ofHours(2));
        cluster.start(new JobId(1));
        cluster.after(Duration.ofMinutes(30));
        assertThat(found()).isEmpty();
    }
}

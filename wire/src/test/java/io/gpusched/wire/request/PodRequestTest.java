package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Fields that programs set rather than people: jobs that stand for pods of a cluster.
final class PodRequestTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(0, 8, false);

    private static Parsed<JobRequest.Submission, Problem> read(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new JobRequest().read(new JsonReader(1 << 20).readObject(bytes), CONTEXT);
    }

    private static JobSpec valid(String json) {
        return ((Parsed.Valid<JobRequest.Submission, Problem>) read(json)).value().spec();
    }

    private static List<Problem> problems(String json) {
        return ((Parsed.Invalid<JobRequest.Submission, Problem>) read(json)).problems();
    }

    @Test
    void coresAreCountedInThousandthsToo() {
        assertThat(valid("{\"cpu_milli\": 250}").host().milliCpu()).isEqualTo(250);
        assertThat(valid("{\"cpu_milli\": 500, \"gpu_count\": 2, \"tasks\": 2}").roles())
                .extracting(role -> role.shape().host().milliCpu())
                .containsExactly(250L);
        assertThat(problems("{\"cpu_milli\": 250, \"cpu_cores\": 1}"))
                .extracting(Problem::field)
                .containsExactly("cpu_milli");
    }

    @Test
    void aJobMayBeBoundToOneRunAndCarryAnAttachment() {
        JobSpec spec = valid("{\"requeue\": false, \"attachment\": \"{}\"}");
        assertThat(spec.onLoss().requeue()).isFalse();
        assertThat(spec.payload().attachment()).isEqualTo("{}");
        assertThat(spec.payload().size()).isEqualTo(2);
        assertThat(valid("{}").onLoss().requeue()).isTrue();
        assertThat(problems("{\"attachment\": \"" + "x".repeat(524_289) + "\"}"))
                .extracting(Problem::field)
                .containsExactly("attachment");
    }
}

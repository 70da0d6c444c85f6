package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class CarbonPreferenceReaderTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(100, 8, false);

    private static CarbonPreference read(SubmitJobRequest.Builder request) {
        var parsed = new JobRequest().read(GrpcRequests.body(request.build()), CONTEXT);
        if (parsed instanceof Parsed.Valid<JobRequest.Submission, Problem> valid) {
            return valid.value().spec().carbon();
        }
        throw new AssertionError(parsed.toString());
    }

    private static io.gpusched.wire.proto.scheduler.CarbonPreference.Builder carbon() {
        return io.gpusched.wire.proto.scheduler.CarbonPreference.newBuilder();
    }

    @Test
    void aGrpcRequestSaysTheSameAsJson() {
        var request = SubmitJobRequest.newBuilder();
        request.setCarbon(
                carbon().setShiftHours(1.5).setMaxIntensity(200).addPreferredRegions("eu"));
        assertThat(read(request))
                .isEqualTo(
                        new CarbonPreference(
                                Duration.ofMinutes(90), 200, List.of("eu"), Integer.MAX_VALUE));
    }

    @Test
    void nothingSaidIsNotTheSameAsNoShift() {
        assertThat(read(SubmitJobRequest.newBuilder()).slack()).isNull();
        assertThat(read(SubmitJobRequest.newBuilder().setCarbon(carbon())))
                .isEqualTo(CarbonPreference.NONE);
        assertThat(read(SubmitJobRequest.newBuilder().setCarbon(carbon().setShiftHours(0))).slack())
                .isEqualTo(Duration.ZERO);
    }
}

package io.gpusched.server.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

final class StartEstimatesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final StartEstimates startEstimates = new StartEstimates();

    private static StartEstimate within(int early, int late) {
        return new StartEstimate(
                NOW.plusSeconds(early), NOW.plusSeconds((early + late) / 2), NOW.plusSeconds(late));
    }

    private void tell(JobId job, StartEstimate startEstimate) {
        assertThat(startEstimates.told(Map.of(job, startEstimate), NOW)).containsKey(job);
    }

    @Test
    void theFirstEstimateCounts() {
        var job = new JobId(1);
        startEstimates.roundBegins();
        tell(job, within(100, 200));
        startEstimates.roundBegins();
        tell(job, within(5_000, 6_000));
        startEstimates.started(job, NOW.plusSeconds(150));
        assertThat(startEstimates.coverage()).isEqualTo(1);
    }

    /// The job started while the forecast was computed, so it gets no estimate. A later start after
    /// a preemption must not count as a missed one.
    @Test
    void aJobThatStartedMeanwhileHasNoEstimate() {
        var job = new JobId(1);
        startEstimates.roundBegins();
        startEstimates.started(job, NOW.plusSeconds(1));
        startEstimates.told(Map.of(job, within(100, 200)), NOW);
        startEstimates.started(job, NOW.plusSeconds(50_000));
        assertThat(startEstimates.coverage()).isNaN();
    }

    @Test
    void whatIsKeptInAFileIsTheSameWhenItIsRead(@TempDir Path folder) {
        startEstimates.roundBegins();
        tell(new JobId(1), within(100, 200));
        tell(new JobId(2), new StartEstimate(NOW.plusNanos(1), null, null));
        tell(new JobId(3), within(50, 90_000));
        startEstimates.started(new JobId(1), NOW.plusSeconds(150));
        var file = new EstimateFile(folder.resolve("promises"));
        assertThat(file.read()).isNull();

        file.write(startEstimates.image());

        assertThat(file.read()).isEqualTo(startEstimates.image());
    }
}

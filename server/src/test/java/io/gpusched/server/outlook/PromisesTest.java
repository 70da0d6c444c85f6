package io.gpusched.server.outlook;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.JobId;
import io.gpusched.core.outlook.Start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

final class PromisesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Promises promises = new Promises();

    private static Start within(int early, int late) {
        return new Start(
                NOW.plusSeconds(early), NOW.plusSeconds((early + late) / 2), NOW.plusSeconds(late));
    }

    private void tell(JobId job, Start start) {
        assertThat(promises.told(Map.of(job, start), NOW)).containsKey(job);
    }

    @Test
    void theFirstWordIsTheOneThatCounts() {
        var job = new JobId(1);
        promises.roundBegins();
        tell(job, within(100, 200));
        promises.roundBegins();
        tell(job, within(5_000, 6_000));
        promises.started(job, NOW.plusSeconds(150));
        assertThat(promises.coverage()).isEqualTo(1);
    }

    /// It started while the round looked ahead: there was nothing left to promise, and a later
    /// start after a preemption must not count as a broken promise.
    @Test
    void whoStartedMeanwhileWasPromisedNothing() {
        var job = new JobId(1);
        promises.roundBegins();
        promises.started(job, NOW.plusSeconds(1));
        promises.told(Map.of(job, within(100, 200)), NOW);
        promises.started(job, NOW.plusSeconds(50_000));
        assertThat(promises.coverage()).isNaN();
    }

    @Test
    void whatIsKeptInAFileIsTheSameWhenItIsRead(@TempDir Path folder) {
        promises.roundBegins();
        tell(new JobId(1), within(100, 200));
        tell(new JobId(2), new Start(NOW.plusNanos(1), null, null));
        tell(new JobId(3), within(50, 90_000));
        promises.started(new JobId(1), NOW.plusSeconds(150));
        var file = new PromiseFile(folder.resolve("promises"));
        assertThat(file.read()).isNull();

        file.write(promises.image());

        assertThat(file.read()).isEqualTo(promises.image());
    }
}

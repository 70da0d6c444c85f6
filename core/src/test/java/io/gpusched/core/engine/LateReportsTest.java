package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// A task ends while its agent is away, and nobody hears of it for long.
final class LateReportsTest {
    private final Scene scene =
            new Scene("fifo", EngineSettings.DEFAULT.with(PredictionSettings.USED));

    LateReportsTest() {
        scene.join(aNode("n1").build());
    }

    private JobId started(int tasks) {
        JobId job = scene.submit(aJob().gpus(1).tasks(tasks).kind("short"));
        scene.runs(job);
        return job;
    }

    private void ended(JobId job, int rank, Duration ran) {
        var exit = new Exit(Exit.How.EXITED, 0, "", ran);
        scene.tell(new Report.TaskEnded(scene.run(job).id(), rank, exit));
    }

    private Phase.Ended phase(JobId job) {
        return (Phase.Ended) scene.job(job).phase();
    }

    @Test
    void theJobEndedWhenItsLastTaskDid() {
        JobId job = started(2);
        Instant start = scene.now();
        scene.pass(Duration.ofMinutes(5));
        ended(job, 0, Duration.ofSeconds(3));
        ended(job, 1, Duration.ofSeconds(7));
        assertThat(phase(job).at()).isEqualTo(start.plusSeconds(300));
        assertThat(phase(job).over()).isEqualTo(start.plusSeconds(7));
    }

    @Test
    void whatIsLearnedIsHowLongItRan() {
        JobId job = started(1);
        scene.pass(Duration.ofMinutes(5));
        ended(job, 0, Duration.ofSeconds(3));
        assertThat(
                        scene.engine().learner().model().exported(10).stream()
                                .flatMap(runs -> runs.runs().stream())
                                .map(run -> run.seconds()))
                .singleElement()
                .satisfies(seconds -> assertThat(seconds).isCloseTo(3, within(1e-9)));
    }

    @Test
    void whatNobodyMeasuredEndedWhenItWasHeard() {
        JobId job = started(2);
        scene.pass(Duration.ofMinutes(5));
        ended(job, 0, Duration.ofSeconds(3));
        ended(job, 1, Duration.ZERO);
        assertThat(phase(job).over()).isEqualTo(phase(job).at());
    }

    @Test
    void newsOfNowIsNotCorrectedByWhatAnotherClockMeasured() {
        JobId job = started(1);
        scene.pass(Duration.ofSeconds(10));
        ended(job, 0, Duration.ofMillis(8500));
        assertThat(phase(job).over()).isEqualTo(phase(job).at());
        JobId other = started(1);
        scene.pass(Duration.ofSeconds(10));
        ended(other, 0, Duration.ofHours(1));
        assertThat(phase(other).over()).isEqualTo(phase(other).at());
    }
}

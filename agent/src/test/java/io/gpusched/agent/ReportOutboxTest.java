package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// Which reports are sent, and when they are sent again.
final class ReportOutboxTest {
    private static final TaskRef TASK = TaskRef.newBuilder().setJob(1).setAttempt(1).build();
    private static final long LATER = TimeUnit.SECONDS.toNanos(11);

    private final ReportOutbox reportOutbox = new ReportOutbox();

    private static final TaskReport RUNNING =
            TaskReport.newBuilder()
                    .setTask(TASK)
                    .setRunning(TaskReport.Running.getDefaultInstance())
                    .build();
    private static final TaskReport ENDED =
            TaskReport.newBuilder()
                    .setTask(TASK)
                    .setEnded(TaskReport.Ended.getDefaultInstance())
                    .build();

    @Test
    void aChangeIsReportedOnceUntilTheRetryTime() {
        TaskReport told = reportOutbox.due(List.of(RUNNING), 0).getFirst();
        assertThat(reportOutbox.due(List.of(RUNNING), 1)).isEmpty();
        assertThat(reportOutbox.due(List.of(RUNNING), LATER)).containsExactly(told);
        assertThat(reportOutbox.due(List.of(RUNNING), LATER + 1)).isEmpty();
    }

    @Test
    void aHostThatNamesChangesIsNotAskedForTheRest() {
        TaskReport told = reportOutbox.due(changed(RUNNING), 0).getFirst();
        assertThat(reportOutbox.due(changed(), 1)).isEmpty();
        assertThat(reportOutbox.due(changed(RUNNING), 2)).as("the same").isEmpty();
        assertThat(reportOutbox.due(changed(), LATER)).containsExactly(told);
        assertThat(reportOutbox.due(changed(), LATER + 1)).isEmpty();
        assertThat(reportOutbox.due(changed(ENDED), LATER + 2)).hasSize(1);
        var gone = new HostChanges(false, List.of(), List.of(TASK), List.of());
        assertThat(reportOutbox.due(gone, LATER * 9)).isEmpty();
    }

    private static HostChanges changed(TaskReport... reports) {
        return new HostChanges(false, List.of(reports), List.of(), List.of());
    }

    @Test
    void aConfirmedReportIsNotSentAgain() {
        TaskReport told = reportOutbox.due(List.of(RUNNING), 0).getFirst();
        assertThat(reportOutbox.confirmed(told.getSequence())).isNull();
        assertThat(reportOutbox.due(List.of(RUNNING), LATER)).isEmpty();
        assertThat(reportOutbox.due(List.of(ENDED), LATER)).hasSize(1);
    }

    @Test
    void onlyAConfirmedEndMayBeForgotten() {
        TaskReport running = reportOutbox.due(List.of(RUNNING), 0).getFirst();
        TaskReport ended = reportOutbox.due(List.of(ENDED), 0).getFirst();
        assertThat(reportOutbox.confirmed(running.getSequence())).isNull();
        assertThat(reportOutbox.confirmed(ended.getSequence())).isEqualTo(TASK);
        assertThat(reportOutbox.confirmed(ended.getSequence())).isNull();
        assertThat(reportOutbox.confirmed(999)).isNull();
    }

    @Test
    void anIntroductionTellsEverythingAnewAndVoidsOldConfirmations() {
        TaskReport before = reportOutbox.due(List.of(ENDED), 0).getFirst();
        TaskReport again = reportOutbox.everything(List.of(ENDED), 1).getFirst();
        assertThat(reportOutbox.due(List.of(ENDED), 2)).isEmpty();
        assertThat(reportOutbox.confirmed(before.getSequence())).isNull();
        assertThat(reportOutbox.confirmed(again.getSequence())).isEqualTo(TASK);
    }
}

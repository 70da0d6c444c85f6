package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// What is told, and told again.
final class OutboxTest {
    private static final TaskRef TASK = TaskRef.newBuilder().setJob(1).setAttempt(1).build();
    private static final long LATER = TimeUnit.SECONDS.toNanos(11);

    private final Outbox outbox = new Outbox();

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
    void newsIsToldOnceUntilPatienceIsOver() {
        TaskReport told = outbox.due(List.of(RUNNING), 0).getFirst();
        assertThat(outbox.due(List.of(RUNNING), 1)).isEmpty();
        assertThat(outbox.due(List.of(RUNNING), LATER)).containsExactly(told);
        assertThat(outbox.due(List.of(RUNNING), LATER + 1)).isEmpty();
    }

    @Test
    void whatIsConfirmedIsNotToldAgain() {
        TaskReport told = outbox.due(List.of(RUNNING), 0).getFirst();
        assertThat(outbox.confirmed(told.getSequence())).isNull();
        assertThat(outbox.due(List.of(RUNNING), LATER)).isEmpty();
        assertThat(outbox.due(List.of(ENDED), LATER)).hasSize(1);
    }

    @Test
    void onlyAConfirmedEndMayBeForgotten() {
        TaskReport running = outbox.due(List.of(RUNNING), 0).getFirst();
        TaskReport ended = outbox.due(List.of(ENDED), 0).getFirst();
        assertThat(outbox.confirmed(running.getSequence())).isNull();
        assertThat(outbox.confirmed(ended.getSequence())).isEqualTo(TASK);
        assertThat(outbox.confirmed(ended.getSequence())).isNull();
        assertThat(outbox.confirmed(999)).isNull();
    }

    @Test
    void anIntroductionTellsEverythingAnewAndVoidsOldConfirmations() {
        TaskReport before = outbox.due(List.of(ENDED), 0).getFirst();
        TaskReport again = outbox.everything(List.of(ENDED), 1).getFirst();
        assertThat(outbox.due(List.of(ENDED), 2)).isEmpty();
        assertThat(outbox.confirmed(before.getSequence())).isNull();
        assertThat(outbox.confirmed(again.getSequence())).isEqualTo(TASK);
    }
}

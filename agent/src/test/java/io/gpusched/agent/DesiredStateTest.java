package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Which assignments are carried out, and for how long.
final class DesiredStateTest {
    private static final HostChanges NOTHING =
            new HostChanges(false, List.of(), List.of(), List.of());

    private final DesiredState desiredState = new DesiredState(TermFile.inMemory());

    private static Assign assign(long term, long revision) {
        return Assign.newBuilder().setNodeId("n1").setTerm(term).setRevision(revision).build();
    }

    @Test
    void olderRevisionsAndTermsAreIgnoredAndEqualOnesRepeated() {
        assertThat(desiredState.take(assign(2, 5), 1)).isTrue();
        assertThat(desiredState.take(assign(2, 4), 1)).isFalse();
        assertThat(desiredState.take(assign(2, 5), 1)).isTrue();
        assertThat(desiredState.take(assign(1, 9), 1)).isFalse();
        assertThat(desiredState.take(assign(3, 1), 1)).isTrue();
    }

    @Test
    void theHighestTermIsRememberedOverARestart(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("term");
        assertThat(new DesiredState(TermFile.keptIn(file)).take(assign(4, 1), 1)).isTrue();
        assertThat(new DesiredState(TermFile.keptIn(file)).take(assign(3, 9), 1)).isFalse();
    }

    @Test
    void anOrderStartsTasksOnlyInItsOwnSession() {
        Witness host = new Witness();
        desiredState.take(assign(1, 1), 7);
        desiredState.carryOut(host, null, 7, HostChanges.ANYTHING);
        desiredState.carryOut(host, null, 0, HostChanges.ANYTHING);
        desiredState.carryOut(host, null, 8, HostChanges.ANYTHING);
        desiredState.take(assign(1, 1), 8);
        desiredState.carryOut(host, null, 8, HostChanges.ANYTHING);
        assertThat(host.seen).containsExactly("converge", "restrain", "restrain", "converge");
    }

    /// The work of a large cluster follows what changes.
    @Test
    void onlyNodesWithAChangeAreCarriedOutWhereTheHostNamesChanges() {
        Witness host = new Witness();
        for (int node = 0; node < 5_000; node++) {
            desiredState.take(assign(1, 1).toBuilder().setNodeId("n" + node).build(), 7);
        }
        desiredState.carryOut(host, null, 7, NOTHING);
        assertThat(host.seen).hasSize(5_000);
        host.seen.clear();
        for (int step = 0; step < 100; step++) {
            desiredState.carryOut(host, null, 7, NOTHING);
        }
        assertThat(host.seen).isEmpty();
        desiredState.take(assign(1, 2).toBuilder().setNodeId("n5").build(), 7);
        desiredState.carryOut(host, null, 7, asking("n9", "unknown"));
        assertThat(host.seen).hasSize(2);
        desiredState.carryOut(host, null, 0, NOTHING);
        assertThat(host.seen).as("the session has ended").hasSize(5_002);
    }

    @Test
    void whatFailedIsCarriedOutAgain() {
        Witness host = new Witness();
        desiredState.take(assign(1, 1), 7);
        host.fails = true;
        assertThatThrownBy(() -> desiredState.carryOut(host, null, 7, NOTHING))
                .hasMessage("not now");
        host.fails = false;
        desiredState.carryOut(host, null, 7, NOTHING);
        desiredState.carryOut(host, null, 7, NOTHING);
        assertThat(host.seen).containsExactly("converge");
    }

    private static HostChanges asking(String... nodes) {
        return new HostChanges(false, List.of(), List.of(), List.of(nodes));
    }

    private static final class Witness implements TaskHost {
        private boolean fails;
        private final List<String> seen = new ArrayList<>();

        @Override
        public void watch(Runnable changed) {}

        @Override
        public void converge(String node, List<TaskOrder> wanted) {
            if (fails) {
                throw new IllegalStateException("not now");
            }
            seen.add("converge");
        }

        @Override
        public void restrain(String node, List<TaskOrder> wanted) {
            seen.add("restrain");
        }

        @Override
        public List<TaskReport> tasks() {
            return List.of();
        }

        @Override
        public void acknowledged(TaskRef task) {}

        @Override
        public LogChunk log(LogRequest request) {
            return LogChunk.getDefaultInstance();
        }

        @Override
        public LogMark logMark(TaskRef task) {
            return new LogMark(0, false);
        }

        @Override
        public void tidy() {}
    }
}

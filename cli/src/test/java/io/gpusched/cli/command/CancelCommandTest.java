package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CancelCommandTest {
    private final Stand stand = new Stand();

    @BeforeEach
    void accept() {
        stand.says("DELETE /api/v1/jobs/j", "{\"message\":\"Job cancelled successfully\"}");
    }

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void aJobThatHasEndedIsCancelled() {
        becomes("cancelled", "");

        var outcome = Shell.at(stand).run("cancel", "j");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("j: cancelled\n");
    }

    @Test
    void aJobThatStillRunsIsStopping() {
        becomes("running", "stopping: cancelled by somebody");

        assertThat(Shell.at(stand).run("cancel", "j").out())
                .isEqualTo("j: stopping, up to 30s grace; wait for it with gpu-cli wait j\n");
    }

    @Test
    void aJobOnAnUnreachableNodeHasNoExpectedEnd() {
        stand.says(
                "GET /api/v1/jobs/j",
                "{\"state\":\"running\",\"reason\":\"stopping: cancelled by somebody; node"
                        + " unreachable: n1\",\"unreachable_node\":\"n1\"}");

        assertThat(Shell.at(stand).run("cancel", "j").out())
                .isEqualTo("j: stopping: cancelled by somebody; node unreachable: n1\n");
    }

    @Test
    void aServerThatDoesNotSayMoreHasStillAccepted() {
        var outcome = Shell.at(stand).run("cancel", "j");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("j: cancel accepted; see gpu-cli get j\n");
    }

    @Test
    void machinesGetTheAnswerAndNoSecondQuestion() {
        assertThat(Shell.at(stand).run("cancel", "j", "-o", "json").out())
                .contains("Job cancelled successfully");
        assertThat(stand.onlyAsked().line()).isEqualTo("DELETE /api/v1/jobs/j");
    }

    @Test
    void waitingLastsUntilAllHaveEnded() {
        stand.says("DELETE /api/v1/jobs/k", "{}")
                .says("GET /api/v1/jobs/k", "{\"state\":\"completed\"}");
        becomes("running", "stopping: cancelled");
        becomes("running", "stopping: cancelled");
        becomes("cancelled", "");

        var outcome = Shell.at(stand).run("cancel", "j", "k", "--wait");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("j: cancelled\nk: completed\n");
        assertThat(stand.lines()).startsWith("DELETE /api/v1/jobs/j", "DELETE /api/v1/jobs/k");
    }

    @Test
    void interruptingAWaitReportsThatTheJobIsBeingStopped() {
        stand.says(
                "GET /api/v1/jobs/j",
                "{\"state\":\"running\",\"reason\":\"stopping\",\"stop_cause\":\"cancelled\"}");

        var outcome = Shell.at(stand).interruptedAfter(1).run("cancel", "j", "--wait");

        assertThat(outcome.code()).isEqualTo(101);
        assertThat(outcome.err()).contains("no longer waiting; j is being stopped");
    }

    private void becomes(String state, String reason) {
        stand.says(
                "GET /api/v1/jobs/j",
                "{\"state\":\"%s\",\"reason\":\"%s\",\"grace_seconds\":30}"
                        .formatted(state, reason));
    }
}

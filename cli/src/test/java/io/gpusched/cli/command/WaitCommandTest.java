package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WaitCommandTest {
    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @ParameterizedTest
    @CsvSource({
        "completed, 0, 0",
        "completed, 7, 0",
        "failed, 1, 1",
        "failed, 42, 42",
        "failed, 137, 137",
        "failed, -9, 137",
        "failed, null, 100",
        "failed, 0, 100",
        "failed, 4711, 100",
        "cancelled, null, 103"
    })
    void theExitCodeIsThatOfTheJob(String state, String exitCode, int expected) {
        stand.says(
                "GET /api/v1/jobs/j",
                "{\"state\":\"%s\",\"exit_code\":%s}".formatted(state, exitCode));

        var outcome = Shell.at(stand).run("wait", "j");

        assertThat(outcome.code()).isEqualTo(expected);
        assertThat(outcome.out()).isEqualTo("j " + state + "\n");
    }

    @Test
    void waitingEndsWithTheJob() {
        says("pending").says("preempted").says("running").says("completed");

        var outcome = Shell.at(stand).run("wait", "j");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).isEqualTo("j: pending\nj: preempted\nj: running\nj: completed\n");
        assertThat(stand.asked()).hasSize(4);
    }

    @Test
    void aReasonThatOnlyRepeatsTheStateIsNotShown() {
        stand.says("GET /api/v1/jobs/j", "{\"state\":\"completed\",\"reason\":\"completed\"}");

        assertThat(Shell.at(stand).run("wait", "j").err()).isEqualTo("j: completed\n");
    }

    @Test
    void theWorstOfSeveralJobsCounts() {
        stand.says("GET /api/v1/jobs/a", "{\"state\":\"failed\",\"exit_code\":3}")
                .says("GET /api/v1/jobs/b", "{\"state\":\"completed\"}");

        assertThat(Shell.at(stand).run("wait", "a", "b").code()).isEqualTo(3);
    }

    @Test
    void timeRunsOut() {
        says("running");
        var shell = Shell.at(stand);

        var outcome = shell.run("wait", "j", "--timeout", "30s");

        assertThat(outcome.code()).isEqualTo(101);
        assertThat(shell.elapsed()).hasSeconds(30);
    }

    @Test
    void aJobThatDoesNotExistHasItsOwnCode() {
        stand.says("GET /api/v1/jobs/j", 404, "{\"error\":\"job j not found\"}");

        var outcome = Shell.at(stand).run("wait", "j");

        assertThat(outcome.code()).isEqualTo(102);
        assertThat(outcome.err()).isEqualTo("gpu-cli: j: refused: job j not found (HTTP 404)\n");
    }

    @Test
    void aServerThatIsNotReadyForAMomentIsForgiven() {
        says("running");
        stand.says("GET /api/v1/jobs/j", 503, "{\"error\":\"not ready\"}");
        says("completed");

        var outcome = Shell.at(stand).run("wait", "j");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).contains("not ready; still trying");
    }

    @Test
    void aServerThatGoesAwayForGoodIsGivenUpAfterTenMinutes() {
        says("running");
        var shell = Shell.at(stand).atPause(stand::close);

        var outcome = shell.run("wait", "j");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("is the scheduler running?");
        assertThat(shell.elapsed().toMinutes()).isEqualTo(10);
    }

    @Test
    void aServerThatWasNeverThereIsNotWaitedFor() {
        stand.close();
        var shell = Shell.at(stand);

        assertThat(shell.run("wait", "j").code()).isEqualTo(1);
        assertThat(shell.elapsed()).isZero();
    }

    private WaitCommandTest says(String state) {
        stand.says("GET /api/v1/jobs/j", "{\"state\":\"" + state + "\"}");
        return this;
    }
}

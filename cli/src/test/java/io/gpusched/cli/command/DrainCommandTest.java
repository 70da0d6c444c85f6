package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DrainCommandTest {
    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void aDrainLetsJobsFinishByDefault() {
        stand.says("POST /api/v1/nodes/n1/drain", "{\"state\":\"draining\",\"jobs\":[\"job-7\"]}");

        assertThat(Shell.at(stand).run("drain", "n1", "--deadline", "2h").out())
                .isEqualTo("n1: draining, 1 job still there; watch it with gpu-cli nodes n1\n");
        assertThat(stand.onlyAsked().body()).isEqualTo("{\"deadline_seconds\":7200}");
        assertThat(Shell.at(stand).run("drain", "n1", "--stop", "--deadline", "9").code())
                .isEqualTo(2);
    }

    @Test
    void stoppingJobsNeedsConfirmationOnATerminal() {
        stand.says("GET /api/v1/nodes/n1", "{\"id\":\"n1\",\"jobs\":[\"job-7\",\"job-8\"]}")
                .says("POST /api/v1/nodes/n1/drain", "{\"state\":\"draining\"}");

        var no = Shell.at(stand).onTerminal().typing("n\n").run("drain", "n1", "--stop");
        assertThat(no.code()).isEqualTo(1);
        assertThat(no.err())
                .isEqualTo(
                        """
                        n1: stops 2 jobs: job-7, job-8
                        Stop 2 jobs now? [y/N]
                        gpu-cli: nothing was drained
                        """);
        assertThat(stand.lines()).containsExactly("GET /api/v1/nodes/n1");

        var yes = Shell.at(stand).onTerminal().typing("y\n").run("drain", "n1", "--stop");
        assertThat(yes.code()).isZero();
        assertThat(stand.asked().getLast().body()).isEqualTo("{\"stop\":true}");
        var unasked = Shell.at(stand).onTerminal().run("drain", "n1", "--stop", "--yes");
        assertThat(unasked.err()).isEqualTo("n1: stops 2 jobs: job-7, job-8\n");
        assertThat(Shell.at(stand).run("drain", "n1", "--stop").code())
                .as("a script is not asked")
                .isZero();
    }
}

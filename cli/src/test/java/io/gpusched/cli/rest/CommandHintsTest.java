package io.gpusched.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CommandHintsTest {
    @Test
    void routesBecomeCommands() {
        String list = "list what there is with ";
        assertThat(CommandHints.translate(list + "GET /api/v1/jobs"))
                .isEqualTo(list + "gpu-cli list");
        assertThat(CommandHints.translate(list + "GET /api/v1/nodes"))
                .isEqualTo(list + "gpu-cli nodes");
        assertThat(CommandHints.translate(list + "GET /api/v1/what-if"))
                .isEqualTo(list + "gpu-cli what-if");
        assertThat(CommandHints.translate(list + "GET /api/v1/jobs/job-9/events"))
                .isEqualTo(list + "gpu-cli events job-9");
        assertThat(CommandHints.translate(list + "GET the same path without the id"))
                .isEqualTo(list + "gpu-cli tokens TENANT");
    }

    @Test
    void aRouteWithoutACommandStaysWhole() {
        String other = "see GET /api/v1/jobs/job-9/other";
        assertThat(CommandHints.translate(other)).isEqualTo(other);
    }

    @Test
    void fieldsBecomeOptionsButSettingsStay() {
        assertThat(
                        CommandHints.translate(
                                "the job waits; set gang_scheduling to true to spread it"))
                .isEqualTo("the job waits; give --gang to spread it");
        String setting = "set scheduler.enable_gang_scheduling to true";
        assertThat(CommandHints.translate(setting)).isEqualTo(setting);
    }
}

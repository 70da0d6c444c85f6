package io.gpusched.server.agents;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;

import java.time.Duration;
import java.util.List;

/// Jobs for tests, with defaults for everything that a test does not set.
final class Specs {
    private final String script;
    private int gpus = 1;
    private int tasks = 1;
    private Duration limit = Duration.ZERO;
    private Duration grace = Duration.ofMillis(500);
    private String workingDir = "";

    private Specs(String script) {
        this.script = script;
    }

    static Specs script(String script) {
        return new Specs(script);
    }

    Specs gpus(int each) {
        gpus = each;
        return this;
    }

    Specs tasks(int count) {
        tasks = count;
        return this;
    }

    Specs limit(Duration longest) {
        limit = longest;
        return this;
    }

    Specs grace(Duration allowed) {
        grace = allowed;
        return this;
    }

    Specs in(String directory) {
        workingDir = directory;
        return this;
    }

    JobSpec spec() {
        return JobSpec.builder(
                        Tenant.DEFAULT,
                        List.of(
                                Role.of(
                                        Shape.of(GpuRequest.whole(gpus, 0), Resources.cores(1, 0)),
                                        tasks)))
                .name("a job")
                .priority(100)
                .kind("test")
                .limit(limit)
                .onLoss(new Interruption(grace, false, true))
                .payload(new Payload(script, List.of(), List.of(), Labels.NONE, "", workingDir))
                .build();
    }
}

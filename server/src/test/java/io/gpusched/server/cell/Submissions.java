package io.gpusched.server.cell;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;

import java.util.List;

/// Commands that submit a job with one GPU.
final class Submissions {
    private Submissions() {}

    static Command submit(String key) {
        return submit(key, "");
    }

    static Command submit(String key, String script) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 0));
        var spec =
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("job")
                        .priority(100)
                        .payload(new Payload(script, List.of(), List.of(), Labels.NONE, "", ""))
                        .build();
        return new Command.Submit(spec, key, 1, false, "test");
    }
}

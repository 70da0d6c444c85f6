package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Batches of submissions, distinguished by their number.
final class Batches {
    static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    private static final List<Role> ROLES =
            List.of(Role.of(Shape.of(GpuRequest.whole(2, 16_000), Resources.cores(4, 32_000)), 1));
    private static final Payload PAYLOAD =
            new Payload(
                    "",
                    List.of("python", "train.py"),
                    List.of("--epochs", "3"),
                    Labels.of("MODE", "fast"),
                    "",
                    "");

    private Batches() {}

    static Batch batch(long number, long term) {
        return batch(number, term, 1);
    }

    static Batch batch(long number, long term, int jobs) {
        Instant at = START.plusMillis(number);
        var facts = new ArrayList<Event>();
        for (int i = 0; i < jobs; i++) {
            facts.add(submitted(at, (number - 1) * jobs + i + 1));
        }
        return new Batch(number, term, at, facts, List.of(), number * 31);
    }

    static Event.JobSubmitted submitted(Instant at, long job) {
        return new Event.JobSubmitted(at, new JobId(job), spec(job), "", 0, false, "somebody");
    }

    static JobSpec spec(long job) {
        return JobSpec.builder(new TenantId("team-a"), ROLES)
                .name("train-" + job)
                .priority(100)
                .kind("train")
                .limit(Duration.ofMinutes(60))
                .payload(PAYLOAD)
                .build();
    }
}

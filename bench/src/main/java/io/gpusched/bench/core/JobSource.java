package io.gpusched.bench.core;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Jobs as many people would submit them, the same ones for the same seed.
///
/// Priorities, tenants and sizes are drawn evenly; together they decide how many classes of equal
/// jobs wait.
public final class JobSource {
    private static final Duration LIMIT = Duration.ofHours(4);

    private final SplittableRandom random;
    private final List<TenantId> tenants = new ArrayList<>();
    private final int priorities;
    private final int[] gpus;
    private final List<List<Role>> shared = new ArrayList<>();
    private long made;

    public JobSource(long seed, int tenants, int priorities, int... gpus) {
        this.random = new SplittableRandom(seed);
        this.priorities = priorities;
        this.gpus = gpus.clone();
        for (int i = 0; i < tenants; i++) {
            this.tenants.add(new TenantId("team-" + i));
        }
        for (int count : gpus) {
            shared.add(roles(count));
        }
    }

    public List<TenantId> tenants() {
        return List.copyOf(tenants);
    }

    /// A job whose parts belong to it alone, as they do when it was just read from a request.
    public JobSpec asRead() {
        made++;
        return spec(
                "train-" + made,
                roles(gpus[random.nextInt(gpus.length)]),
                new Payload(
                        "",
                        List.of("python", "train.py"),
                        List.of("--epochs", "100"),
                        Labels.NONE,
                        "",
                        ""));
    }

    /// As [#asRead], with labels.
    public JobSpec asRead(Labels labels) {
        return asRead().withLabels(labels);
    }

    /// A job that shares its roles with its equals, as jobs in the ledger do.
    public JobSpec asKept() {
        return spec("train", shared.get(random.nextInt(shared.size())), Payload.NOTHING);
    }

    private JobSpec spec(String name, List<Role> roles, Payload payload) {
        return JobSpec.builder(tenants.get(random.nextInt(tenants.size())), roles)
                .name(name)
                .priority(random.nextInt(priorities))
                .kind("train")
                .limit(LIMIT)
                .payload(payload)
                .build();
    }

    private static List<Role> roles(int gpus) {
        var shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.cores(gpus, gpus * 4096L));
        return List.of(Role.of(shape, 1));
    }
}

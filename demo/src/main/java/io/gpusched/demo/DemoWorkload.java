package io.gpusched.demo;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/// The tenants and jobs of the demo: three tenants and an endless sequence of short jobs, the same
/// ones for the same seed.
final class DemoWorkload {
    private static final List<String> NAMES =
            List.of("train-llm", "finetune", "embed", "render", "evaluate", "sweep", "distill");
    private static final List<List<GpuModel>> MODELS =
            List.of(
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(GpuModel.parse("H100-80GB")),
                    List.of(GpuModel.parse("A100")),
                    List.of(GpuModel.parse("T4"), GpuModel.parse("L40S")));
    private static final List<String> SLICES = List.of("1g.5gb", "2g.10gb", "3g.20gb");
    private static final int[] GPUS = {1, 1, 1, 1, 2, 2, 2, 4, 4, 8};

    private final Random random;
    private int made;

    DemoWorkload(long seed) {
        this.random = new Random(seed);
    }

    static List<Tenant> tenants() {
        return List.of(
                tenant("research", "Research", 32, "medium"),
                tenant("production", "Production", 48, "high"),
                tenant("education", "Education", 16, "low"));
    }

    private static Tenant tenant(String id, String name, long gpus, String tier) {
        var limits =
                new Limits(
                        gpus * 1000,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED);
        return new Tenant(
                new TenantId(id),
                null,
                Limits.ZERO,
                limits,
                1,
                new PreemptionRules(true, true, 0),
                true,
                Labels.of("name", name).with("priority_tier", tier));
    }

    /// The next job. The first ones are short, so that ended jobs appear soon. All have a lower
    /// priority than a visitor's job has by default, and may be preempted for it.
    Command.Submit next() {
        made++;
        if (made % 11 == 2) {
            return notebook();
        }
        if (made % 6 == 5) {
            return small();
        }
        boolean gang = made % 25 == 0;
        int seconds = made <= 12 ? 1 + made % 4 : 6 + random.nextInt(50);
        int gpus = gang ? 8 : GPUS[random.nextInt(GPUS.length)];
        var shape =
                new Shape(
                        GpuRequest.whole(gpus, 0),
                        Resources.cores(2L * gpus, 8000L * gpus),
                        gang ? List.of() : MODELS.get(random.nextInt(MODELS.size())),
                        Labels.NONE,
                        List.of());
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return submit(name, Role.of(shape, gang ? 2 : 1), payload(name, seconds));
    }

    /// A job that needs less than a GPU: a MIG slice, or a share of a GPU.
    private Command.Submit small() {
        int seconds = 30 + random.nextInt(90);
        GpuRequest part =
                random.nextInt(3) == 0
                        ? GpuRequest.shares(250 + 250 * random.nextInt(2), 0, 1)
                        : GpuRequest.slices(SLICES.get(random.nextInt(SLICES.size())), 1);
        var shape = new Shape(part, Resources.cores(1, 4000), List.of(), Labels.NONE, List.of());
        return submit("serve", Role.of(shape, 1), payload("serve", seconds));
    }

    /// A notebook that holds GPUs and leaves them idle.
    private Command.Submit notebook() {
        int gpus = 1 + random.nextInt(2);
        var shape =
                new Shape(
                        GpuRequest.whole(gpus, 0),
                        Resources.cores(2L * gpus, 8000L * gpus),
                        List.of(),
                        Labels.NONE,
                        List.of());
        var payload =
                new Payload(
                        "",
                        List.of("jupyter", "lab"),
                        List.of(),
                        Labels.of(FakeTask.SECONDS, Integer.toString(120 + random.nextInt(120)))
                                .with(FakeTask.IDLE, "true"),
                        "",
                        "");
        return submit("notebook", Role.of(shape, 1), payload);
    }

    /// A gang that takes the whole quota of the smallest tenant would wait until all its other jobs
    /// have ended, so the others submit gangs.
    private Command.Submit submit(String name, Role role, Payload payload) {
        int tenant = random.nextInt(role.min() > 1 ? 2 : 3);
        return new Command.Submit(
                JobSpec.builder(tenants().get(tenant).id(), List.of(role))
                        .name(name + "-" + made)
                        .priority(10 * (1 + random.nextInt(9)))
                        .kind(name)
                        .limit(Duration.ofMinutes(5))
                        .onLoss(new Interruption(Duration.ofSeconds(5), true, true))
                        .payload(payload)
                        .labels(Labels.of("demo", "true"))
                        .build(),
                "",
                0,
                false,
                "demo");
    }

    private Payload payload(String name, int seconds) {
        boolean fails = random.nextInt(12) == 0;
        return new Payload(
                "",
                List.of("python", name + ".py"),
                List.of("--epochs", Integer.toString(seconds)),
                Labels.of(FakeTask.SECONDS, Integer.toString(seconds))
                        .with(FakeTask.EXIT, fails ? "1" : "0"),
                "",
                "");
    }
}

package io.gpusched.core.forecast;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.JobTable;
import io.gpusched.core.state.StateImage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/// Those for whom nobody runs ahead, against running ahead for all.
final class QueueForecastTest {
    private static final int NEAR = 80;

    /// Half a minute to an hour, by the size of the job and by luck.
    private static final RuntimeSource RUNTIMES =
            (job, gpu, ran, luck) ->
                    Duration.ofSeconds(
                            (long) (job.spec().milliGpus() / 1000.0 * (30 + 1200 * luck)));

    private static Policy policy(String name) {
        return Objects.requireNonNull(Policies.named(name, EngineSettings.DEFAULT.policy()));
    }

    private static Scene crowded(String policy) {
        var random = new Random(5);
        var scene = new Scene(policy);
        scene.join(aNode("n1").gpus(8).build(), aNode("n2").gpus(8).build());
        for (int weight = 1; weight <= 3; weight++) {
            scene.tell(
                    new Command.PutTenant(
                            new Tenant(
                                    new TenantId("t" + weight),
                                    null,
                                    Limits.ZERO,
                                    Limits.NONE,
                                    weight,
                                    PreemptionRules.DEFAULT,
                                    true,
                                    Labels.NONE),
                            true,
                            "tester"));
        }
        for (int i = 0; i < 360; i++) {
            JobId job =
                    scene.submit(
                            aJob().of("t" + (1 + random.nextInt(3)))
                                    .gpus(1 + random.nextInt(4))
                                    .limit(Duration.ofHours(2)));
            if (!scene.job(job).waiting()) {
                scene.runs(job);
            }
        }
        return scene;
    }

    private static Map<JobId, StartEstimate> outlook(String policy, StateImage image, Instant now) {
        return new StartForecast(
                        () -> policy(policy), EngineSettings.DEFAULT, RUNTIMES, 12, 100_000)
                .from(image, new RuntimeModel(), now, 1);
    }

    private static List<Job> waiting(Scene scene) {
        JobTable table = scene.engine().state().jobs();
        var waiting = new ArrayList<Job>();
        for (long number = table.first(); number <= table.last(); number++) {
            Job job = table.job(number);
            if (job != null && job.waiting()) {
                waiting.add(job);
            }
        }
        return waiting;
    }

    private static QueueForecast line(Scene scene, String policy) {
        return QueueForecast.of(
                waiting(scene),
                policy(policy).order(),
                tenant -> Integer.parseInt(tenant.name().substring(1)),
                RUNTIMES);
    }

    private static StateImage first(Scene scene, QueueForecast line) {
        Set<JobId> kept = new LinkedHashSet<>();
        line.first(NEAR).forEach(job -> kept.add(job.id()));
        return StateImage.ahead(
                scene.engine().state(), scene.engine().lastBatch(), job -> kept.contains(job.id()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"priority", "fair", "fifo"})
    void whoStandsFarBackIsToldAboutWhatARunAheadForAllWouldSay(String policy) {
        Scene scene = crowded(policy);
        QueueForecast line = line(scene, policy);
        Map<JobId, StartEstimate> near = outlook(policy, first(scene, line), scene.now());
        assertThat(near.size()).isBetween(NEAR, NEAR + 5);
        QueueForecast.Beyond beyond =
                Objects.requireNonNull(line.beyond(near, scene.now()), "enough was foreseen");
        Map<JobId, StartEstimate> all = outlook(policy, scene.engine().image(), scene.now());
        int inside = 0;
        int far = 0;
        var off = new ArrayList<Double>();
        for (Job job : waiting(scene)) {
            if (near.containsKey(job.id())) {
                continue;
            }
            StartEstimate rough = Objects.requireNonNull(beyond.of(job.id()));
            Instant middle =
                    Objects.requireNonNull(Objects.requireNonNull(all.get(job.id())).middle());
            far++;
            inside += isIn(rough, middle) ? 1 : 0;
            off.add(Math.abs(Math.log(wait(scene, rough.middle()) / wait(scene, middle))));
        }
        assertThat(far).isGreaterThan(250);
        assertThat(inside).as("of %s in the range", far).isGreaterThan(far * 3 / 4);
        off.sort(Comparator.naturalOrder());
        assertThat(off.get(far / 2)).as("median error of the logarithm").isLessThan(0.25);
    }

    private static boolean isIn(StartEstimate range, Instant at) {
        return !at.isBefore(Objects.requireNonNull(range.early()))
                && !at.isAfter(Objects.requireNonNull(range.late()));
    }

    private static double wait(Scene scene, @Nullable Instant at) {
        return 1 + Duration.between(scene.now(), Objects.requireNonNull(at)).toMillis() / 1e3;
    }

    @Test
    void theFartherBackTheWiderTheRange() {
        Scene scene = crowded("priority");
        QueueForecast line = line(scene, "priority");
        QueueForecast.Beyond beyond =
                Objects.requireNonNull(
                        line.beyond(
                                outlook("priority", first(scene, line), scene.now()), scene.now()));
        double before = 0;
        for (int rank : List.of(100, 200, 300, 340)) {
            Job job = line.first(rank).getLast();
            StartEstimate startEstimate = Objects.requireNonNull(beyond.of(job.id()));
            double width = wait(scene, startEstimate.late()) / wait(scene, startEstimate.early());
            assertThat(width).as("rank %s", rank).isGreaterThan(before);
            before = width;
        }
        assertThat(beyond.of(new JobId(100_000))).isNull();
    }

    @Test
    void nothingIsToldWhereNothingWasForeseen() {
        Scene scene = crowded("priority");
        assertThat(line(scene, "priority").beyond(Map.of(), scene.now())).isNull();
    }
}

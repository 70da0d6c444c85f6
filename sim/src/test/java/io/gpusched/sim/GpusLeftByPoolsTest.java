package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.ClusterDelays;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.scenario.UserAction;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A pool grows over batch jobs at noon and leaves its GPUs at night. While batch jobs wait, they
/// use what the pool leaves.
final class GpusLeftByPoolsTest {
    private static final int GPUS = 8;
    private static final Duration DAY = Duration.ofHours(4);
    private static final PoolId CHAT = new PoolId("chat");

    @Test
    void batchUsesWhatThePoolLeaves() {
        var actions = new ArrayList<UserAction>();
        actions.add(new UserAction.PutPool(Duration.ZERO, pool()));
        for (long second = 10; second < DAY.toSeconds(); second += 10) {
            // From 1 to 7 replicas and back.
            long half = DAY.toSeconds() / 2;
            long sessions = 2 + 12 * (half - Math.abs(second - half)) / half;
            var at = Duration.ofSeconds(second);
            actions.add(new UserAction.ReportLoad(at, CHAT, 0, (int) sessions));
        }
        actions.add(new UserAction.RemovePool(DAY, CHAT));
        var jobs = new ArrayList<Arrival>();
        for (int i = 0; i < 900; i++) {
            jobs.add(
                    new Arrival(
                            Duration.ofSeconds(1),
                            spec("j" + i, 1),
                            false,
                            HiddenTruth.succeedsAfter(Duration.ofSeconds(60 + i % 7 * 30))));
        }
        Audited run = Audited.run(scenario(jobs, actions), 1);
        var use = new Use(Scenario.DEFAULT_START.plus(DAY));
        run.batches().forEach(use::add);
        assertThat(use.most).as("replicas at noon").isEqualTo(7);
        assertThat(use.used / use.left).as("of %s GPU-seconds", use.left).isGreaterThan(0.95);
    }

    /// Adds up what the pool leaves and what of it batch jobs hold, while any of them waits.
    private static final class Use {
        private final Instant end;
        private final Map<JobId, Boolean> replicas = new HashMap<>();
        private final Set<JobId> holding = new HashSet<>();
        private Instant last = Scenario.DEFAULT_START;
        private int pool;
        private int batch;
        private int waiting;
        private double left;
        private double used;
        private int most;

        Use(Instant end) {
            this.end = end;
        }

        void add(Batch next) {
            if (waiting > 0 && next.at().isBefore(end)) {
                double seconds = Duration.between(last, next.at()).toMillis() / 1e3;
                left += seconds * (GPUS - pool);
                used += seconds * batch;
            }
            last = next.at();
            next.facts().forEach(this::add);
            next.decided().forEach(this::add);
            most = Math.max(most, pool);
        }

        private void add(Event event) {
            switch (event) {
                case Event.JobSubmitted e -> {
                    replicas.put(e.job(), e.spec().isReplica());
                    waiting += e.spec().isReplica() ? 0 : 1;
                }
                case Event.AttemptPlaced e -> {
                    holding.add(e.attempt().job());
                    holds(e.attempt().job(), 1);
                }
                case Event.JobRequeued e -> {
                    holding.remove(e.job());
                    holds(e.job(), -1);
                }
                case Event.JobEnded e -> {
                    if (holding.remove(e.job())) {
                        pool -= isReplica(e.job()) ? 1 : 0;
                        batch -= isReplica(e.job()) ? 0 : 1;
                    }
                }
                default -> {}
            }
        }

        private boolean isReplica(JobId job) {
            return replicas.getOrDefault(job, false);
        }

        private void holds(JobId job, int more) {
            if (isReplica(job)) {
                pool += more;
            } else {
                batch += more;
                waiting -= more;
            }
        }
    }

    private static JobSpec spec(String name, int priority) {
        var shape =
                new Shape(
                        GpuRequest.whole(1, 0),
                        Resources.cores(1, 1024),
                        List.of(),
                        Labels.NONE,
                        List.of());
        return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                .name(name)
                .priority(priority)
                .build();
    }

    private static Pool pool() {
        var usual = ScalingRules.of("targets");
        var down =
                new ScaleBehavior(Duration.ofMinutes(1), ScaleBehavior.Select.LARGEST, List.of());
        var scaling =
                new ScalingRules(
                        "targets",
                        List.of(
                                new MetricTarget(
                                        PoolMetric.CONCURRENT_SESSIONS, 2_000, Duration.ZERO)),
                        0,
                        null,
                        List.of(),
                        ScaleBehavior.UP,
                        down,
                        usual.cooldown(),
                        usual.every(),
                        usual.staleAfter());
        return new Pool(
                CHAT,
                "",
                spec("replica", 9_000),
                1,
                7,
                0,
                Slo.NONE,
                scaling,
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                ServingRules.NONE);
    }

    private static Scenario scenario(List<Arrival> jobs, List<UserAction> actions) {
        GpuModel model = GpuModel.parse("A100-80GB");
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < GPUS; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), "n1-" + i));
        }
        var node =
                new Node(
                        new NodeId("n1"),
                        new AgentId("n1"),
                        "n1",
                        gpus,
                        Topology.FLAT,
                        Resources.cores(64, 65_536),
                        List.of(),
                        Labels.NONE);
        return new Scenario(
                        "pools",
                        "a pool beside batch jobs",
                        Scenario.DEFAULT_START,
                        Duration.ofDays(1),
                        ScenarioPolicy.DEFAULT,
                        ClusterDelays.DEFAULT,
                        List.of(node),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of())
                .withScript(jobs, List.of(), actions);
    }
}

package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.WhatIf;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A history with a pool, decided once more under another policy.
final class ReplacedReplicaTest {
    private static final JobId REPLICA = new JobId(1);
    private static final JobId FIRST = new JobId(2);

    private final Scenario scenario =
            ScenarioFile.parse(
                    "pool",
                    """
                    policy: {name: fifo}
                    cluster:
                      - {name: n1, gpus: 1xA100-80GB}
                      - {name: n2, gpus: 2xA100-80GB}
                    jobs: []
                    """);
    private final Engine engine =
            new Engine(
                    scenario.scenarioPolicy().toPolicy(), scenario.scenarioPolicy().toSettings());
    private final List<Batch> batches = new ArrayList<>();
    private final List<CycleResult> conclusions = new ArrayList<>();
    private final Cell cell =
            new Cell(
                    engine,
                    new MemoryJournal(),
                    assignment -> {},
                    (batch, cycleResult) -> {
                        batches.add(batch);
                        conclusions.add(cycleResult);
                    });
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private void tell(Input... inputs) {
        now = now.plusSeconds(1);
        cell.handle(List.of(inputs), now);
    }

    private void joins(int nodes) {
        List<Node> some = scenario.nodes().subList(0, nodes);
        for (Node node : some) {
            var agent = new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0);
            List<Node> its = some.stream().filter(n -> n.agent().equals(node.agent())).toList();
            tell(new Report.Hello(agent, its, List.of()));
        }
    }

    private static JobSpec job(int gpus, Duration limit) {
        var shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.cores(1, 1024));
        return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1))).limit(limit).build();
    }

    private static Pool pool() {
        return new Pool(
                new PoolId("chat"),
                "",
                job(1, Duration.ZERO),
                1,
                1,
                0,
                Slo.NONE,
                ScalingRules.of("static"),
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                ServingRules.NONE);
    }

    private Run run(JobId id) {
        return Objects.requireNonNull(Objects.requireNonNull(engine.state().job(id)).phase().run());
    }

    private void runs(JobId id) {
        tell(new Report.TaskRunning(run(id).id(), 0));
    }

    private void exits(JobId id, int code) {
        tell(new Report.TaskEnded(run(id).id(), 0, new Exit(Exit.How.EXITED, code, "")));
    }

    /// A replica serves beside jobs; which of two jobs follows the first one depends on the policy.
    /// Then the replica crashes and is replaced.
    private void live() {
        cell.takeCharge(1, "test", "test", now);
        joins(1);
        tell(new Command.PutPool(pool(), "me"));
        runs(REPLICA);
        joins(2);
        for (int hours : List.of(1, 9, 2)) {
            tell(new Command.Submit(job(2, Duration.ofHours(hours)), "", 0, false, "me"));
        }
        runs(FIRST);
        now = now.plusSeconds(60);
        exits(FIRST, 0);
        now = now.plusSeconds(60);
        exits(REPLICA, 1);
        for (int second = 0; second < 30; second++) {
            tell();
        }
    }

    @Test
    void aReplicaThatEndedByItselfEndsInTheBranchBeforeItIsReplaced() {
        live();
        var past = new AuditedPast(batches, conclusions);
        Listener audit = past.auditFrom(0, "sjf");
        var heard = new ArrayList<Event>();
        var watcher =
                new WhatIf.Watcher() {
                    @Override
                    public boolean at(long batch, long events, boolean second) {
                        return true;
                    }

                    @Override
                    public void decided(Batch round, CycleResult cycleResult) {
                        heard.addAll(round.facts());
                        heard.addAll(round.decided());
                        audit.concluded(round, cycleResult);
                    }
                };
        SchedulerConfig.Known ways =
                fingerprint -> new SchedulerConfig("fifo", scenario.scenarioPolicy().toSettings());

        WhatIfResult result =
                new WhatIf(
                                (after, into) ->
                                        batches.subList((int) after, batches.size()).forEach(into),
                                WhatIfQuestion.of("sjf"),
                                ways,
                                watcher)
                        .answer();

        past.settle();
        assertThat(result.parted()).isNotNull();
        assertThat(heard)
                .filteredOn(event -> event instanceof Event.JobEnded e && e.job().equals(REPLICA))
                .hasSize(1);
        assertThat(heard)
                .filteredOn(event -> event instanceof Event.JobSubmitted e && e.spec().isReplica())
                .hasSize(2);
    }
}

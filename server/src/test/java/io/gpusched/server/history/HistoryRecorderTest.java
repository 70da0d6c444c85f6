package io.gpusched.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
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
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;
import io.gpusched.store.Database;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.StoreHealth;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// A cell whose clock the test moves, and the history that is written about it.
@Timeout(60)
final class HistoryRecorderTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    @TempDir Path folder;

    private Instant now = NOON;
    private final HistoryCounts counts = new HistoryCounts();
    private final Engine follower = engine();
    private final ViewMaker maker = new ViewMaker(follower);
    private View view = maker.view(follower);
    private final Cell cell =
            new Cell(engine(), new MemoryJournal(), assignment -> {}, this::follow);

    @SuppressWarnings("NullAway.Init")
    private HistoryTables tables;

    @SuppressWarnings("NullAway.Init")
    private HistoryRecorder recorder;

    private LatestReadings readings = (node, gpu) -> new LatestReadings.Gpu(40 + gpu, 50, 0, 100);

    @BeforeEach
    void open() {
        tables = new HistoryTables(new Database.Sqlite(folder), StoreHealth.UNHEARD);
        recorder =
                new HistoryRecorder(
                        tables,
                        counts,
                        () -> view,
                        (node, gpu) -> readings.gpu(node, gpu),
                        () -> now);
    }

    @AfterEach
    void close() {
        tables.close();
    }

    @Test
    void aMinuteIsTheMeanOfItsGaugesAndTheSumOfItsCounts() {
        handle(hello());
        tick(1); // 12:00:00 to :10 with nothing.
        handle(submit("a", GpuRequest.whole(2, 0)));
        handle(submit("a", GpuRequest.whole(4, 0)));
        tick(2); // 2 of 4 GPUs used, one job waits.
        end(1, 0);
        tick(3); // The other one runs: 4 of 4 used.

        HistoryRow first = tables.cluster(10, NOON.getEpochSecond(), now.getEpochSecond()).get(1);
        assertThat(figure(first, "gpus_total")).isEqualTo(4);
        assertThat(figure(first, "gpus_used")).isEqualTo(2);
        assertThat(figure(first, "waiting")).isEqualTo(1);
        assertThat(figure(first, "submitted")).isEqualTo(2);
        HistoryRow minute = tables.cluster(60, 0, now.getEpochSecond()).getFirst();
        assertThat(minute.at()).isEqualTo(NOON.getEpochSecond());
        assertThat(minute.samples()).isEqualTo(6);
        assertThat(figure(minute, "gpus_used")).isCloseTo((0 + 2 * 2 + 3 * 4) / 6.0, within(1e-9));
        assertThat(figure(minute, "waiting")).isCloseTo(2 / 6.0, within(1e-9));
        assertThat(figure(minute, "submitted")).isEqualTo(2);
        assertThat(figure(minute, "started")).isEqualTo(2);
        assertThat(figure(minute, "completed")).isEqualTo(1);
        assertThat(figure(minute, "failed")).isZero();
        assertThat(figure(minute, "gpu_utilization")).isCloseTo(0.5, within(1e-9));
        assertThat(figure(minute, "power_watts")).isCloseTo(400, within(1e-9));
        assertThat(figure(minute, "gpu_temperature_max")).isEqualTo(43);
        assertThat(minute.waits().quantile(1))
                .as("the second job waited for two steps")
                .isCloseTo(20, within(1.0));
        HistoryRow own = tenants(60).getFirst();
        assertThat(own.tenant()).isEqualTo("a");
        assertThat(figure(own, "gpus_used")).isCloseTo(16 / 6.0, within(1e-9));
        assertThat(figure(own, "started")).isEqualTo(2);
        assertThat(figure(own, "power_watts")).isCloseTo(1600 / 6.0, within(1e-9));
    }

    @Test
    void aSharedGpuCountsForEachTenantByItsPart() {
        handle(hello());
        handle(submit("a", GpuRequest.shares(400, 0, 1)));
        handle(submit("b", GpuRequest.shares(250, 0, 1)));
        tick(1);
        HistoryRow cluster = tables.cluster(10, 0, now.getEpochSecond()).getFirst();
        assertThat(figure(cluster, "gpus_used")).isCloseTo(0.65, within(1e-9));
        List<HistoryRow> own = tenants(10);
        assertThat(own).extracting(HistoryRow::tenant).containsExactly("a", "b");
        assertThat(figure(own.getFirst(), "power_watts")).isCloseTo(40, within(1e-9));
        assertThat(figure(own.getLast(), "power_watts")).isCloseTo(25, within(1e-9));
    }

    @Test
    void withoutReadingsTheHardwareIsUnknownAndTheRestIsNot() {
        handle(hello());
        readings = (node, gpu) -> LatestReadings.Gpu.UNKNOWN;
        tick(1);
        readings = (node, gpu) -> new LatestReadings.Gpu(50, 20, 0, 10);
        tick(5);
        HistoryRow first = tables.cluster(10, 0, now.getEpochSecond()).getFirst();
        assertThat(first.figures().keySet().toString())
                .contains("gpus_total")
                .doesNotContain("power", "utilization", "temperature");
        HistoryRow minute = tables.cluster(60, 0, now.getEpochSecond()).getFirst();
        assertThat(minute.measured()).isEqualTo(5);
        assertThat(figure(minute, "power_watts"))
                .as("the mean of the five that were measured")
                .isCloseTo(40, within(1e-9));
    }

    @Test
    void aRestartWithinAMinuteLosesNoStepAndTheMinuteIsWhole() {
        handle(hello());
        tick(3);
        tables.close();
        open();
        tick(3);
        assertThat(tables.cluster(60, 0, now.getEpochSecond()).getFirst().samples()).isEqualTo(6);
    }

    @Test
    void stepsWhileTheServerWasDownAreUnknown() {
        handle(hello());
        tick(6);
        now = now.plusSeconds(600);
        tables.close();
        open();
        tick(6);
        var chart =
                new HistoryReader(tables, () -> now)
                        .cluster(
                                new HistoryReader.Window(
                                        NOON.getEpochSecond(), now.getEpochSecond(), 12),
                                List.of(HistorySeries.GPUS_TOTAL));
        assertThat(chart.stepSeconds()).isEqualTo(60);
        assertThat(chart.series().get("gpus_total"))
                .startsWith(4.0, Double.NaN)
                .endsWith(Double.NaN, 4.0)
                .hasSize(12);
    }

    /// The disk is bounded by the number of steps, which is bounded by their ages.
    @Test
    void theNumberOfRowsStopsGrowing() {
        handle(hello());
        handle(submit("a", GpuRequest.whole(1, 0)));
        int days = 3;
        for (int i = 0; i < days * 24 * 30; i++) { // A step every two minutes, to be quick.
            now = now.plusSeconds(120);
            recorder.tick();
        }
        long end = now.getEpochSecond();
        assertThat(tables.cluster(10, 0, end)).hasSizeBetween(65, 66);
        assertThat(tables.cluster(60, 0, end)).hasSizeBetween(25 * 30, 25 * 30 + 5);
        assertThat(tables.cluster(600, 0, end)).hasSize(days * 24 * 6);
        assertThat(tables.cluster(3600, 0, end)).hasSize(days * 24);
        assertThat(tenants(3600)).hasSize(days * 24);
    }

    @Test
    void manyTenantsBecomeTheLargestAndTheRest() {
        handle(hello());
        for (int i = 0; i < LargestTenants.MOST + 20; i++) {
            handle(submit("team-%03d".formatted(i), GpuRequest.whole(i < 2 ? 1 : 4, 0)));
        }
        tick(6);
        for (int step : new int[] {10, 60}) {
            int steps = step == 10 ? 6 : 1;
            List<HistoryRow> rows = tenants(step);
            assertThat(rows).hasSize(steps * (LargestTenants.MOST + 1));
            assertThat(rows).extracting(HistoryRow::tenant).contains("team-000", "team-001");
            assertThat(
                            rows.stream()
                                    .filter(row -> row.tenant().equals(LargestTenants.OTHER))
                                    .mapToDouble(row -> figure(row, "waiting"))
                                    .sum())
                    .isCloseTo(20.0 * steps, within(1e-9));
        }
    }

    @Test
    void aStoreThatFailsLeavesAGapAndNothingElse() throws IOException {
        handle(hello());
        tick(1);
        tables.close();
        Files.writeString(folder.resolve("history.db"), "this is no database, ".repeat(500));
        tables = new HistoryTables(new Database.Sqlite(folder), StoreHealth.UNHEARD);
        open();
        tick(3);
        assertThat(tables.cluster(10, 0, now.getEpochSecond()))
                .as("the first step found the damage, the next ones are in a new file")
                .hasSize(2);
    }

    private void tick(int steps) {
        for (int i = 0; i < steps; i++) {
            now = now.plusSeconds(10);
            recorder.tick();
        }
    }

    private List<HistoryRow> tenants(int step) {
        var rows = new ArrayList<HistoryRow>();
        tables.tenants(step, 0, now.getEpochSecond(), null, rows::add);
        return rows;
    }

    private static double figure(HistoryRow row, String column) {
        return row.figures().entrySet().stream()
                .filter(entry -> entry.getKey().toString().equals(column))
                .findFirst()
                .map(entry -> entry.getValue())
                .orElse(0.0);
    }

    private void handle(Input input) {
        cell.handle(List.of(input), now);
    }

    private Input submit(String tenant, GpuRequest gpus) {
        var id = new TenantId(tenant);
        if (view.tenants().row(id) == null) {
            handle(new Command.PutTenant(Tenant.unlimited(id), true, "test"));
        }
        var shape = Shape.of(gpus, Resources.cores(1, 100));
        var spec = JobSpec.builder(id, List.of(Role.of(shape, 1))).build();
        return new Command.Submit(spec, "", 0, false, "test");
    }

    private void end(long job, int code) {
        Run run =
                Objects.requireNonNull(
                        Objects.requireNonNull(view.job(new JobId(job))).phase().run());
        handle(new Report.TaskRunning(run.id(), 0));
        handle(new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.EXITED, code, "")));
    }

    private void follow(Batch batch, CycleResult cycleResult) {
        maker.before(batch, follower);
        follower.apply(batch);
        maker.after(follower, cycleResult);
        view = maker.view(follower);
        counts.applied(batch, cycleResult, follower);
    }

    private static Engine engine() {
        var settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", settings.policy())), settings);
    }

    private static Report hello() {
        var agent = new AgentId("agent");
        var gpus =
                IntStream.range(0, 4)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("A100-40GB"), 40_960, ""))
                        .toList();
        var node =
                new Node(
                        new NodeId("n1"),
                        agent,
                        "127.0.0.1",
                        gpus,
                        Topology.FLAT,
                        Resources.cores(1000, 64_000),
                        List.of(),
                        Labels.NONE);
        return new Report.Hello(
                new Agent(agent, Agent.Custody.SELF_FENCING, 0), List.of(node), List.of());
    }
}

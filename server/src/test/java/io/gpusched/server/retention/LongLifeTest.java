package io.gpusched.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.config.RetentionSection;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;
import io.gpusched.store.Database;
import io.gpusched.store.JobHistory;
import io.gpusched.store.JournalFile;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;
import io.gpusched.store.Tables;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Months of a cluster in which nodes, tenants and jobs come and go every day. Memory and disk use
/// stay bounded by the present size.
@Timeout(300)
final class LongLifeTest {
    private static final int JOBS_A_DAY = 40;
    private static final int SETTLED = 30;
    private static final int DAYS = 90;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final Engine mirror = engine();
    private final ViewMaker maker = new ViewMaker(mirror);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private View view = maker.view(mirror);
    private @Nullable Cell cell;
    private final AgentServices agentServices =
            new AgentServices(
                    AgentServices.Setup.open(1),
                    (report, wanted, settled) -> {},
                    death -> {
                        throw new AssertionError(death);
                    });

    /// What is counted after a day.
    private record Size(
            long batches,
            long tableJobs,
            long ledgerJobs,
            int nodes,
            int tenants,
            int agents,
            int remembered,
            long journalBytes,
            long tablesBytes,
            long heapBytes) {}

    private static Engine engine() {
        EngineSettings settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", settings.policy())), settings);
    }

    private static Node node(int day) {
        return new Node(
                new NodeId("node-" + day),
                new AgentId("agent-" + day),
                "",
                List.of(new Gpu(0, GpuModel.parse("A100-80GB"), 81920, "g" + day)),
                Topology.FLAT,
                Resources.cores(64, 512_000),
                List.of(),
                Labels.NONE);
    }

    private static JobSpec spec(TenantId tenant) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 0));
        return JobSpec.builder(tenant, List.of(Role.of(shape, 1)))
                .name("job")
                .priority(100)
                .payload(new Payload("x".repeat(500), List.of(), List.of(), Labels.NONE, "", ""))
                .build();
    }

    private Cell cell() {
        return Objects.requireNonNull(cell);
    }

    private void handle(Input input) {
        cell().handle(List.of(input), now);
    }

    private void follow(Batch batch, CycleResult cycleResult) {
        maker.before(batch, mirror);
        mirror.apply(batch);
        maker.after(mirror, cycleResult);
        view = maker.view(mirror);
        for (Event event : batch.facts()) {
            if (event instanceof Event.NodeRemoved removed) {
                agentServices.forget(removed.node());
            }
        }
    }

    /// One day: a node and a tenant are added, jobs run and end, and yesterday's node and tenant
    /// are removed.
    private void day(int day) {
        Node node = node(day);
        var tenant = new TenantId("tenant-" + day);
        handle(
                new Report.Hello(
                        new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0),
                        List.of(node),
                        List.of()));
        agentServices.telemetry().resume(node.id(), 0, GpuCondition.GOOD);
        handle(new Command.PutTenant(Tenant.unlimited(tenant), true, "boss"));
        if (day > 1) {
            handle(new Report.Silent(node(day - 1).agent()));
            handle(new Report.Fenced(node(day - 1).agent()));
            handle(new Command.RemoveTenant(new TenantId("tenant-" + (day - 1)), "boss"));
        }
        for (int i = 0; i < JOBS_A_DAY; i++) {
            now = now.plus(Duration.ofDays(1).dividedBy(JOBS_A_DAY));
            handle(new Command.Submit(spec(tenant), "key-" + day + "-" + i, 1, false, "user"));
            Job job =
                    Objects.requireNonNull(
                            cell().engine()
                                    .state()
                                    .job(new JobId(cell().engine().state().jobs().last())));
            Run run = Objects.requireNonNull(job.phase().run());
            handle(new Report.TaskRunning(run.id(), 0));
            handle(new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.EXITED, 0, "")));
        }
    }

    @Test
    void memoryAndDiskStayAsLargeAsThePresentRequires() throws IOException {
        var database = new Database.Sqlite(folder.resolve("data"));
        Path archive = folder.resolve("archive");
        var rules =
                new RetentionSection(
                        Duration.ofDays(5), Duration.ofDays(10), Duration.ofDays(3), archive);
        var sizes = new ArrayList<Size>();
        try (var journal = SqlJournal.open(database, StoreHealth.UNHEARD);
                var tables = Tables.open(journal, StoreHealth.UNHEARD);
                var history = new JobHistory(database)) {
            var snapshots = new Snapshots(folder.resolve("data/snapshots"), 2, StoreHealth.UNHEARD);
            cell = new Cell(engine(), journal, agentServices.launcher(), this::follow);
            cell().takeCharge(journal.raiseTerm(), "test", "test", now);
            var retention =
                    new Retention(
                            rules,
                            new Retention.Stores(journal, snapshots, tables),
                            this::handle,
                            () -> view,
                            () -> now);
            for (int day = 1; day <= DAYS; day++) {
                day(day);
                snapshots.save(
                        new Snapshot(mirror.image(), mirror.learner().image(), mirror.digest()));
                tables.catchUp();
                retention.pass();
                sizes.add(size(journal, history));
            }
            bounded(sizes.get(SETTLED - 1), sizes.getLast());
            assertThat(history.find(new JobId(1))).as("moved to the archive").isNull();
            restartsFromItsBeginning(journal);
            wholeHistory(archive, journal);
        } finally {
            agentServices.close();
        }
    }

    private Size size(SqlJournal journal, JobHistory history) throws IOException {
        Path data = folder.resolve("data");
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        long batches;
        try (var reader = journal.reader()) {
            batches = journal.head() - reader.base();
        }
        return new Size(
                batches,
                history.count(new JobHistory.Query(null, List.of(), 0, 1)),
                mirror.state().jobs().size(),
                mirror.state().nodes().all().size(),
                mirror.state().tenants().all().size(),
                mirror.state().agents().all().size(),
                agentServices.remembered(),
                Files.size(data.resolve("journal.db")),
                Files.size(data.resolve("tables.db")),
                memory.getHeapMemoryUsage().getUsed());
    }

    private static void bounded(Size early, Size late) {
        assertThat(late.batches).isLessThan(12 * 5L * JOBS_A_DAY);
        assertThat(late.tableJobs).isLessThanOrEqualTo(11L * JOBS_A_DAY + 1);
        assertThat(late.ledgerJobs).isLessThanOrEqualTo(8L * JOBS_A_DAY + 1);
        assertThat(late.nodes).isLessThanOrEqualTo(6);
        assertThat(late.tenants).isLessThanOrEqualTo(3);
        assertThat(late.agents).isLessThanOrEqualTo(2);
        assertThat(late.remembered).isLessThanOrEqualTo(2 * early.remembered);
        assertThat(late.journalBytes).isLessThanOrEqualTo(early.journalBytes * 3 / 2);
        assertThat(late.tablesBytes).isLessThanOrEqualTo(early.tablesBytes * 3 / 2);
        assertThat(late.heapBytes).isLessThanOrEqualTo(early.heapBytes + (16L << 20));
    }

    /// Without any snapshot file.
    private void restartsFromItsBeginning(SqlJournal journal) {
        try (var reader = journal.reader()) {
            Snapshot beginning = Objects.requireNonNull(reader.beginning());
            Engine again =
                    Engine.restore(
                            beginning.image(),
                            beginning.learned(),
                            engine().policy(),
                            EngineSettings.DEFAULT);
            journal.replay(reader.base(), again::apply);
            assertThat(again.digest()).isEqualTo(mirror.digest());
        }
    }

    /// The files of the archive followed by the journal contain the whole history.
    private void wholeHistory(Path archive, SqlJournal journal) throws IOException {
        Path all = folder.resolve("all.jsonl.gz");
        try (var out = Files.newOutputStream(all);
                var files = Files.list(archive)) {
            for (Path file :
                    files.filter(one -> one.getFileName().toString().startsWith("journal-"))
                            .sorted()
                            .toList()) {
                Files.copy(file, out);
            }
        }
        Engine whole = engine();
        new JournalFile(all).read(0, whole::apply);
        try (var reader = journal.reader()) {
            assertThat(whole.lastBatch()).isEqualTo(reader.base());
        }
        var last = new AtomicLong();
        journal.replay(
                whole.lastBatch(),
                batch -> {
                    whole.apply(batch);
                    last.set(batch.number());
                });
        assertThat(last).hasValue(mirror.lastBatch());
        assertThat(whole.digest()).isEqualTo(mirror.digest());
    }
}

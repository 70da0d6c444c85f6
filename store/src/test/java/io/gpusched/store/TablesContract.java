package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;

/// The contract of the tables: they always equal the cluster state of their batch.
@Timeout(120)
abstract class TablesContract {
    final RecordedHealth health = new RecordedHealth();

    @SuppressWarnings("NullAway.Init")
    SqlJournal journal;

    /// An empty database, the same one for the whole test.
    abstract Database database();

    @BeforeEach
    void open() {
        journal = SqlJournal.open(database(), health);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void everyRowEqualsTheClusterState() throws SQLException {
        var busy = new BusyCell(journal, journal.raiseTerm(), 1);
        for (int part = 0; part < 3; part++) {
            busy.live(70);
            try (var tables = Tables.open(journal, health)) {
                tables.catchUp();
                assertThat(tables.watermark()).isEqualTo(journal.head());
            }
            agree(busy.cell.engine().state());
        }
        assertThat(health.warnings).isEmpty();
    }

    @Test
    void whatATenantHoldsMovesToItsNewParent() throws SQLException {
        var busy = new BusyCell(journal, journal.raiseTerm(), 1);
        for (String parent : List.of("team-a", "team-b")) {
            busy.adopt("team-c", parent);
            busy.live(25);
            try (var tables = Tables.open(journal, health)) {
                tables.catchUp();
            }
            agree(busy.cell.engine().state());
        }
    }

    private static Snapshot snapshot(BusyCell busy) {
        var engine = busy.cell.engine();
        return new Snapshot(engine.image(), engine.learner().image(), engine.digest());
    }

    @Test
    void tablesAreRebuiltFromTheBeginningOfAPrunedJournal() throws SQLException {
        var busy = new BusyCell(journal, journal.raiseTerm(), 1);
        busy.live(60);
        Snapshot beginning = snapshot(busy);
        busy.live(60);
        assertThat(journal.prune(beginning)).isEqualTo(beginning.image().batch() - 1);
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        agree(busy.cell.engine().state(), beginning.image().batch());
        try (var history = new JobHistory(database())) {
            long before = beginning.image().lastJob();
            assertThat(history.events(new JobId(before + 1))).isNotEmpty();
            for (long job = 1; job <= before; job++) {
                history.events(new JobId(job)); // As far as the journal goes back.
            }
        }
    }

    @Test
    void oldJobsAreInAFileBeforeTheyAreDeleted(@TempDir Path archive) throws Exception {
        var busy = new BusyCell(journal, journal.raiseTerm(), 1);
        busy.live(150);
        ClusterState state = busy.cell.engine().state();
        try (var tables = Tables.open(journal, health);
                var history = new JobHistory(database())) {
            tables.catchUp();
            var all = new JobHistory.Query(null, List.of(), 0, 10_000);
            long before = history.count(all);
            Instant cut = Batches.START.plus(Duration.ofMinutes(40));
            long moved = tables.prune(cut, archive);
            assertThat(moved).isPositive().isLessThan(before);
            assertThat(history.count(all)).isEqualTo(before - moved);
            assertThat(history.list(all))
                    .as("jobs that have not ended, or ended later, stay")
                    .noneMatch(
                            job ->
                                    job.phase() instanceof Phase.Ended over
                                            && over.at().isBefore(cut));
            assertThat(lines(archive))
                    .hasSize((int) moved)
                    .allMatch(line -> line.contains("\"id\""));
            assertThat(tables.prune(cut, archive)).isZero();
            busy.live(50);
            tables.catchUp();
        }
        assertThat(state.jobs().last()).isPositive();
        assertThat(health.warnings).isEmpty();
    }

    private static List<String> lines(Path archive) throws IOException {
        var lines = new ArrayList<String>();
        try (var files = Files.list(archive)) {
            for (Path file : files.toList()) {
                try (var in = new GZIPInputStream(Files.newInputStream(file))) {
                    lines.addAll(
                            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
                }
            }
        }
        return lines;
    }

    private void agree(ClusterState state) throws SQLException {
        agree(state, 0);
    }

    /// @param begin the batch after which the journal begins
    private void agree(ClusterState state, long begin) throws SQLException {
        var submitted = new HashMap<JobId, Event.JobSubmitted>();
        journal.replay(begin, batch -> collect(batch, submitted));
        try (var history = new JobHistory(database())) {
            for (long number = 1; number <= state.jobs().last(); number++) {
                Job job = Objects.requireNonNull(state.jobs().job(number));
                var event = submitted.get(job.id());
                if (event == null && begin > 0) {
                    Job found = Objects.requireNonNull(history.find(job.id()));
                    assertThat(found.withPayload(Payload.NOTHING))
                            .isEqualTo(job.withPayload(Payload.NOTHING));
                    continue;
                }
                Objects.requireNonNull(event);
                // The ledger drops what a job ran when the job ends, the tables keep it.
                assertThat(history.find(job.id()))
                        .isEqualTo(job.withPayload(event.spec().payload()));
                assertThat(history.submitted(job.id(), begin)).isEqualTo(event);
            }
            assertThat(history.submitted(new JobId(1_000_000), begin)).isNull();
        }
        for (Tenant tenant : state.tenants().all()) {
            var usage = state.tenants().usage(tenant.id());
            var totals = state.tenants().totals(tenant.id());
            assertThat(
                            row(
                                    """
                                    SELECT current_gp_us, current_cpu_cores, current_memory,
                                           current_jobs, total_jobs, successful_jobs, failed_jobs
                                    FROM tenants WHERE id = '%s'
                                    """
                                            .formatted(tenant.id())))
                    .containsExactly(
                            usage.milliGpus() / 1000.0,
                            usage.milliCpu() / 1000.0,
                            usage.memoryMiB() * 1.0,
                            usage.runningJobs() * 1.0,
                            totals.jobs() * 1.0,
                            totals.completed() * 1.0,
                            totals.failed() * 1.0);
        }
        for (NodeView node : state.nodes().all()) {
            agree(node, state);
        }
    }

    private static void collect(Batch batch, Map<JobId, Event.JobSubmitted> into) {
        for (Event event : batch.facts()) {
            if (event instanceof Event.JobSubmitted submitted) {
                into.put(submitted.job(), submitted);
            }
        }
    }

    private void agree(NodeView node, ClusterState state) throws SQLException {
        String id = node.facts().id().name();
        long gpus = node.facts().allGpus() & ~node.unfitGpus();
        Resources used = Resources.NONE;
        for (JobId job : node.jobs()) {
            Run run = Objects.requireNonNull(Objects.requireNonNull(state.job(job)).phase().run());
            for (Slot slot : run.on().slots()) {
                if (slot.node().equals(node.facts().id())) {
                    gpus &= ~slot.grant().mask();
                    used = used.plus(slot.host());
                }
            }
        }
        double free = Long.bitCount(gpus);
        assertThat(
                        row(
                                """
                                SELECT available_gp_us, available_cpu_cores, available_memory_mb
                                FROM nodes WHERE id = '%s'
                                """
                                        .formatted(id)))
                .containsExactly(
                        free,
                        (node.facts().host().milliCpu() - used.milliCpu()) / 1000.0,
                        (double) (node.facts().host().memoryMiB() - used.memoryMiB()));
        String where = " WHERE node_id = '" + id + "'";
        assertThat(row("SELECT count(*) FROM gpus" + where)).containsExactly(8.0);
        assertThat(
                        row(
                                "SELECT count(*) FROM gpus"
                                        + where
                                        + " AND job_id IS NULL AND health = 'healthy'"))
                .containsExactly(free);
        assertThat(row("SELECT count(*) FROM allocations" + where + " AND state = 'active'"))
                .containsExactly((double) node.tasks());
    }

    @Test
    void historyListsAndTellsWhatHappened() {
        var busy = new BusyCell(journal, journal.raiseTerm(), 7).live(100);
        var jobs = busy.cell.engine().state().jobs();
        try (var tables = Tables.open(journal, health);
                var history = new JobHistory(database())) {
            tables.catchUp();
            var all = new JobHistory.Query(null, List.of(), 0, 10);
            assertThat(history.count(all)).isEqualTo(jobs.size());
            assertThat(history.list(all)).hasSize(10).first().isEqualTo(jobs.job(jobs.last()));
            var older = new JobHistory.Query(new TenantId("team-a"), List.of("completed"), 20, 5);
            assertThat(history.list(older))
                    .allMatch(job -> job.id().number() < 20)
                    .allMatch(job -> job.tenant().name().equals("team-a"))
                    .allMatch(Job::ended);
            var some = new JobHistory.Query(null, List.of("completed", "running"), 0, 10_000);
            long completed = history.count(new JobHistory.Query(null, List.of("completed"), 0, 1));
            long running = history.count(new JobHistory.Query(null, List.of("running"), 0, 1));
            assertThat(completed).isPositive();
            assertThat(running).isPositive();
            assertThat(history.count(some)).isEqualTo(completed + running);
            assertThat(history.list(some)).hasSize((int) (completed + running));
            assertThat(history.find(new JobId(999_999))).isNull();
            var ids = LongStream.rangeClosed(1, 1200).mapToObj(JobId::new).toList();
            assertThat(history.tenants(ids)).hasSize(jobs.size());
            history.tenants(ids)
                    .forEach(
                            (id, tenant) ->
                                    assertThat(jobs.job(id.number()))
                                            .extracting(Job::tenant)
                                            .isEqualTo(tenant));
            assertThat(history.events(new JobId(1))).isEqualTo(eventsOf(new JobId(1)));
        }
    }

    private List<Event> eventsOf(JobId id) {
        var events = new ArrayList<Event>();
        for (Batch batch : JournalContract.read(journal, 0)) {
            batch.facts().stream().filter(e -> id.equals(JobFold.about(e))).forEach(events::add);
            batch.decided().stream().filter(e -> id.equals(JobFold.about(e))).forEach(events::add);
        }
        return events;
    }

    @Test
    void theTablesFollowByThemselves() {
        try (var tables = Tables.open(journal, health)) {
            tables.start();
            new BusyCell(journal, journal.raiseTerm(), 3).live(20);
            while (tables.watermark() < journal.head()) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        try (var history = new JobHistory(database())) {
            assertThat(history.count(new JobHistory.Query(null, List.of(), 0, 1))).isPositive();
        }
    }

    @Test
    void documentedQueriesWork() throws SQLException {
        new BusyCell(journal, journal.raiseTerm(), 1).live(30);
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        assertThat(text("SELECT name, max_gp_us, current_gp_us FROM tenants ORDER BY id DESC"))
                .startsWith("Team team-c");
        assertThat(text("SELECT id, name, state, priority, gpu_count FROM jobs ORDER BY number"))
                .startsWith("job-1 train-");
        assertThat(text("SELECT environment, labels, command FROM jobs ORDER BY number"))
                .isEqualTo("{\"A\":\"b\"} {\"team\":\"x\"} []");
    }

    @Test
    void runTimesAreAveraged() throws SQLException {
        journal.raiseTerm();
        for (int i = 1; i <= 2; i++) {
            var seen =
                    new Event.Observed(
                            Batches.START, "train", "A100", Duration.ofSeconds(10L * i), List.of());
            journal.append(new Batch(i, 1, Batches.START, List.of(seen), List.of(), i), () -> {});
        }
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        assertThat(row("SELECT mean_runtime, variance, count FROM stats"))
                .containsExactly(11.0, 10.9, 2.0);
    }

    @Test
    void runsBesideOthersAreKeptApartAndTheirSlowdownIsShown() throws SQLException {
        journal.raiseTerm();
        List<Event> seen = new ArrayList<>();
        seen.add(new Event.RetentionChanged(Batches.START, 1));
        seen.add(observed("gone", 1));
        for (int i = 0; i < 5; i++) {
            seen.add(observed("train", 10));
        }
        for (int i = 0; i < 5; i++) {
            seen.add(observed("train", 15, "noisy", "noisy"));
        }
        journal.append(new Batch(1, 1, Batches.START.plusSeconds(1), seen, List.of(), 1), () -> {});
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        assertThat(row("SELECT mean_runtime, count, together_count FROM stats"))
                .containsExactly(10.0, 5.0, 5.0);
        assertThat(row("SELECT count(*) FROM stats")).containsExactly(1.0);
        assertThat(row("SELECT slowdown_factor, count FROM interference"))
                .satisfiesExactly(
                        part -> assertThat(part).isBetween(0.2047, 0.2048),
                        count -> assertThat(count).isEqualTo(5));
    }

    private static Event observed(String kind, long seconds, String... neighbours) {
        return new Event.Observed(
                kind.equals("gone") ? Batches.START : Batches.START.plusSeconds(1),
                kind,
                "A100",
                Duration.ofSeconds(seconds),
                List.of(neighbours));
    }

    @Test
    void tablesOfTheFirstReleaseAreBroughtUpToDateWithWhatIsInThem() throws Exception {
        layTheFirstSchema();
        change("INSERT INTO stats VALUES ('train', 'A100', 10, 2.5, 5, 7)");
        change(
                "INSERT INTO allocations VALUES ('a', 'job-1', 'default', 'active', 'n1', '[]', 1,"
                        + " 64, '2026-01-01T00:00:00Z', NULL, NULL, '', NULL)");
        journal.raiseTerm();
        journal.append(
                new Batch(1, 1, Batches.START, List.of(observed("train", 10)), List.of(), 1),
                () -> {});
        try (var tables = Tables.open(journal, health)) {
            assertThat(row("SELECT mean_runtime, variance, count, together_count FROM stats"))
                    .containsExactly(10.0, 2.5, 5.0, 0.0);
            assertThat(text("SELECT id, job_id, node_id FROM allocations")).isEqualTo("a job-1 n1");
            tables.catchUp();
        }
        assertThat(row("SELECT mean_runtime, count FROM stats")).containsExactly(10.0, 6.0);
        assertThat(row("SELECT version FROM schema_versions WHERE family = 'tables'").getFirst())
                .isGreaterThanOrEqualTo(3);
        assertThat(health.warnings).isEmpty();
    }

    private void layTheFirstSchema() throws Exception {
        String folder = Dialect.of(database()).name().toLowerCase(Locale.ROOT);
        String script = "tables/" + folder + "/001.sql";
        try (var in = Objects.requireNonNull(Migrations.class.getResourceAsStream(script))) {
            change(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        change(
                "CREATE TABLE IF NOT EXISTS schema_versions (family TEXT PRIMARY KEY, version"
                        + " INTEGER NOT NULL)");
        change("INSERT INTO schema_versions VALUES ('tables', 1)");
    }

    @Test
    void tablesThatAreAheadOfTheJournalAreRebuilt() throws SQLException {
        new BusyCell(journal, journal.raiseTerm(), 1).live(10);
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        change("UPDATE projected SET batch = 1000000");
        try (var tables = Tables.open(journal, health)) {
            assertThat(tables.watermark()).isZero();
            tables.catchUp();
            assertThat(tables.watermark()).isEqualTo(journal.head());
        }
        assertThat(health.warnings).singleElement().asString().contains("ahead of the journal");
    }

    private void change(String sql) throws SQLException {
        try (var connection = Dialect.connect(database(), Tables.FILE);
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private List<Double> row(String sql) throws SQLException {
        return cells(sql).stream().map(cell -> ((Number) cell).doubleValue()).toList();
    }

    private String text(String sql) throws SQLException {
        return String.join(" ", cells(sql).stream().map(String::valueOf).toList());
    }

    private List<Object> cells(String sql) throws SQLException {
        try (var connection = Dialect.connectReading(database(), Tables.FILE);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            assertThat(row.next()).as(sql).isTrue();
            var cells = new ArrayList<Object>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                @Nullable Object cell = row.getObject(i);
                cells.add(Objects.requireNonNullElse(cell, "null"));
            }
            return cells;
        }
    }
}

package io.gpusched.server;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.event.Report;
import io.gpusched.core.state.ClusterView;
import io.gpusched.server.agents.AgentTimes;
import io.gpusched.server.agents.Agents;
import io.gpusched.server.agents.HeatScale;
import io.gpusched.server.auth.Access;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.cell.CellClock;
import io.gpusched.server.cell.CellThread;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Inlet;
import io.gpusched.server.cell.Pulse;
import io.gpusched.server.cell.QueryFollower;
import io.gpusched.server.cell.SnapshotMaker;
import io.gpusched.server.cell.StoreWatch;
import io.gpusched.server.cell.TimedJournal;
import io.gpusched.server.config.AgentSection;
import io.gpusched.server.config.Config;
import io.gpusched.server.grpc.GrpcPort;
import io.gpusched.server.grpc.SchedulerCalls;
import io.gpusched.server.http.Web;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.learn.CountKeeper;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreDesk;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.metrics.ScoreMeters;
import io.gpusched.server.net.ConnectionBudget;
import io.gpusched.server.outlook.Outlooks;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.server.plugin.PluginJars;
import io.gpusched.server.retention.Retention;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.View;
import io.gpusched.server.whatif.RecordedWays;
import io.gpusched.server.whatif.Shadow;
import io.gpusched.server.whatif.StoredHistory;
import io.gpusched.server.whatif.WhatIfDesk;
import io.gpusched.store.JobHistory;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.Tables;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A running scheduler: every part, made and started in order, stopped in the opposite one.
///
///     REST, gRPC ──▶ cell thread ──▶ journal ──▶ follower ──▶ views ──▶ REST, gRPC
///     agents ◀──▶        ▲ └─ orders, when durable ──▶ agents
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /// Snapshots kept; older ones are for looking back.
    private static final int SNAPSHOTS = 5;

    private static final Duration LEAST_SILENCE = Duration.ofMinutes(1);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Config config;
    private final Consumer<Throwable> onDeath;
    private final CellClock clock = CellClock.ofMachine();
    private final Pulse pulse = new Pulse();
    private final ModelCopies copies = new ModelCopies();
    private LoadedPlugins plugins = LoadedPlugins.NONE;
    private @Nullable Follower follower;
    private @Nullable CellThread cellThread;
    private @Nullable GrpcPort grpc;
    private @Nullable Web web;

    private Server(Config config, Consumer<Throwable> onDeath) {
        this.config = config;
        this.onDeath = onDeath;
    }

    /// Starts a scheduler and returns when it takes requests. `onDeath` hears if it can no longer
    /// decide.
    public static Server start(Config config, Consumer<Throwable> onDeath) {
        var server = new Server(config, onDeath);
        try {
            server.begin();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /// What is remembered.
    private record Memory(
            SqlJournal journal, Snapshots snapshots, Recovered engines, Tables tables, Past past) {}

    /// What decides and carries out.
    private record Middle(
            Follower follower,
            CellThread owner,
            Agents agents,
            IdleWatch idle,
            Outlooks outlooks,
            Meters meters,
            ScoreDesk desk,
            Shadow shadow,
            WhatIfDesk whatIf) {}

    private void begin() {
        config.remarks().forEach(LOG::warn);
        plugins = PluginJars.load(config.placement(), config.scheduler().policy());
        plugins.remarks().forEach(LOG::warn);
        Recovered.check(config, plugins);
        Tokens tokens = openTokens();
        var access = new Access(tokens, config.api().auth());
        Memory memory = remember();
        Middle middle = takeCharge(memory, access);
        listen(memory, middle, tokens, access);
    }

    /// Where snapshots are kept.
    static Path snapshots(Path dataDir) {
        return dataDir.resolve("snapshots");
    }

    private Memory remember() {
        SqlJournal journal = keep(SqlJournal.open(Wiring.database(config.database()), pulse));
        var snapshots = new Snapshots(snapshots(config.dataDir()), SNAPSHOTS, pulse);
        var engines = Recovered.from(journal, snapshots, config, plugins);
        Tables tables = keep(Tables.open(journal, pulse));
        clock.startAt(engines.engine().state().lastAt());
        var past = new Past(keep(new JobHistory(journal.database())), tables::watermark);
        return new Memory(journal, snapshots, engines, tables, past);
    }

    private Middle takeCharge(Memory memory, Access access) {
        Meters meters = meters();
        ScoreDesk desk = desk(memory, meters);
        Outlooks outlooks = outlooks(meters, memory.engines.mirror().state());
        var mirrored = memory.engines.mirror().state();
        var idle = new IdleWatch(config.scheduler().idle(), mirrored, silence(), this::report);
        Shadow shadow = keep(shadow(memory, meters));
        var departures = new NodeDepartures();
        Follower.Audience history = (batch, conclusion, engine) -> memory.past.add(batch);
        Follower following =
                follow(
                        memory.engines,
                        List.of(maker(memory)),
                        List.of(
                                history,
                                meters,
                                idle,
                                desk,
                                outlooks,
                                new NodeNews(mirrored),
                                departures,
                                shadow));
        // Not only higher than before: agents may know a journal that was lost since.
        long term = memory.journal.raiseTerm(clock.instant().toEpochMilli());
        Agents agents = agents(memory, agentSetup(term, access));
        agents.telemetry().listen(idle);
        departures.listen(agents::forget);
        var journal = new TimedJournal(memory.journal);
        var cell = new Cell(memory.engines.engine(), journal, agents.launcher(), following);
        var owner =
                keep(
                        new CellThread(
                                cell,
                                journal,
                                following,
                                clock,
                                config.scheduler().interval(),
                                meters,
                                this::died));
        cellThread = owner;
        keep(agents);
        // Before anything is assigned: how long a lost agent is waited for depends on what its
        // tasks asked.
        Wiring.introduce(memory.engines.engine().state(), agents);
        cell.takeCharge(
                term, Wiring.version(), Wiring.fingerprint(config, plugins), clock.instant());
        following.start();
        owner.start();
        Wiring.tell(config, owner);
        keep(new CountKeeper(desk, owner)).start();
        agents.start();
        watch(memory.journal);
        memory.tables.start();
        keep(retention(memory, owner, following)).start();
        keep(outlooks).start(following);
        shadow.start();
        var whatIf = keep(new WhatIfDesk(() -> new StoredHistory(memory.journal), ways(), clock));
        return new Middle(following, owner, agents, idle, outlooks, meters, desk, shadow, whatIf);
    }

    private Meters meters() {
        var meters = new Meters();
        meters.gauge(
                "gpu_scheduler_clock_ahead_seconds",
                "How far the machine's clock is ahead of the scheduler's time.",
                () -> clock.wallAhead().toMillis() / 1000.0);
        return meters;
    }

    private Agents agents(Memory memory, Agents.Setup setup) {
        return new Agents(
                setup.withProof(memory.journal::oursAt)
                        .withLeaseBefore(Wiring.leaseBefore(memory.engines.engine().state())),
                this::report,
                this::died);
    }

    private void watch(SqlJournal journal) {
        var storeWatch = keep(new StoreWatch(journal, this::died));
        storeWatch.start();
        pulse.watch(storeWatch::trouble);
    }

    private Retention retention(Memory memory, CellThread owner, Follower following) {
        return new Retention(
                config.retention(),
                new Retention.Stores(memory.journal, memory.snapshots, memory.tables),
                owner,
                following::view,
                clock);
    }

    /// @param slow those who may take their time
    private Follower follow(
            Recovered engines, List<Follower.Audience> slow, List<Follower.Audience> audience) {
        var queries = new QueryFollower(engines.copy(config, plugins), slow, this::died);
        var following = keep(new Follower(engines.mirror(), queries, audience, this::died));
        follower = following;
        return following;
    }

    private Shadow shadow(Memory memory, Meters meters) {
        String policy = config.scheduler().shadowPolicy();
        return policy.isEmpty()
                ? Shadow.none()
                : Shadow.beside(
                                memory.engines.mirror(),
                                Wiring.way(config, plugins),
                                policy,
                                ways())
                        .meteredBy(meters);
    }

    private RecordedWays ways() {
        return new RecordedWays(plugins.rules());
    }

    private Outlooks outlooks(Meters meters, ClusterView present) {
        var outlooks =
                new Outlooks(
                        Recovered.settings(config, plugins),
                        config.learning().outlook(),
                        clock,
                        copies,
                        config.dataDir());
        outlooks.resume(present);
        meters.gauge(
                "gpu_scheduler_eta_coverage_ratio",
                "Of the jobs that started, the part that did within the range first told.",
                outlooks::coverage);
        return outlooks;
    }

    private SnapshotMaker maker(Memory memory) {
        return new SnapshotMaker(
                memory.snapshots, config.database().snapshotEvents(), memory.engines.replayed());
    }

    private ScoreDesk desk(Memory memory, Meters meters) {
        return new ScoreDesk(
                config.learning().scores(),
                memory.engines.mirror().learner(),
                new ScoreMeters(meters));
    }

    private void listen(Memory memory, Middle middle, Tokens tokens, Access access) {
        Follower following = middle.follower;
        CellThread owner = middle.owner;
        var readings = new TelemetryReadings(middle.agents.telemetry());
        var clusterMeters = clusterMeters(middle, readings);
        var jobs = new JobIntake(config.scheduler(), following::view, owner);
        var tenants = new TenantIntake(owner, clock);
        var budget = ConnectionBudget.ofThisProcess();
        // One for both doors: whoever is told to wait at one must not go on at the other.
        var rate = new RateLimit(config.api().rateLimit(), System::nanoTime);
        var calls =
                new SchedulerCalls(
                        owner,
                        following,
                        jobs,
                        tenants,
                        clusterMeters,
                        config.api().maxRequestBytes(),
                        middle.outlooks,
                        clock);
        grpc =
                keep(
                        GrpcPort.start(
                                config.api(),
                                List.of(middle.agents.service(), calls.service(access, rate)),
                                budget.grpc()));
        web =
                keep(
                        Web.start(
                                config,
                                new Web.Parts(
                                        owner,
                                        following,
                                        memory.past,
                                        jobs,
                                        tenants,
                                        tokens,
                                        access,
                                        rate,
                                        pulse,
                                        middle.agents.logs(),
                                        readings,
                                        middle.agents,
                                        middle.idle,
                                        middle.outlooks,
                                        middle.meters,
                                        clusterMeters,
                                        middle.desk,
                                        copies,
                                        middle.shadow,
                                        middle.whatIf,
                                        Recovered.settings(config, plugins).policy(),
                                        Wiring.version(),
                                        clock),
                                budget,
                                this::died));
    }

    private ClusterMeters clusterMeters(Middle middle, TelemetryReadings readings) {
        return new ClusterMeters(
                middle.meters,
                middle.follower::view,
                readings,
                () -> middle.idle.idleGpus(clock.instant()));
    }

    /// How long a node may tell no readings before it counts as unknown what its GPUs did.
    private Duration silence() {
        Duration several = config.agent().metrics().multipliedBy(5);
        return several.compareTo(LEAST_SILENCE) < 0 ? LEAST_SILENCE : several;
    }

    private Tokens openTokens() {
        boolean first = !Files.exists(Tokens.adminFile(config.dataDir()));
        Tokens tokens = Tokens.open(config.dataDir());
        if (first && Files.exists(Tokens.adminFile(config.dataDir()))) {
            LOG.info(
                    "made the administrator's token, in {}, and one for agents, in {}",
                    Tokens.adminFile(config.dataDir()),
                    Tokens.joinFile(config.dataDir()));
        }
        return tokens;
    }

    private Agents.Setup agentSetup(long term, Access access) {
        AgentSection agent = config.agent();
        Duration silent = agent.heartbeat().multipliedBy(4);
        var times =
                new AgentTimes(
                        agent.lease().compareTo(silent) < 0 ? silent : agent.lease(),
                        agent.heartbeat(),
                        agent.metrics(),
                        silent,
                        AgentTimes.DEFAULT.margin());
        return Agents.Setup.open(term)
                .with(times)
                .with(clock)
                .with(new HeatScale(config.scheduler().thermalThreshold()))
                .with(
                        token ->
                                mayJoin(
                                        access.callerOf(
                                                token.isEmpty() ? null : "Bearer " + token)));
    }

    private static boolean mayJoin(@Nullable Caller caller) {
        return caller instanceof Caller.Joiner || caller instanceof Caller.Admin;
    }

    private void report(Report report, BooleanSupplier wanted, Runnable settled) {
        Objects.requireNonNull(cellThread).tell(report, wanted, answer -> settled.run());
    }

    private void died(Throwable why) {
        pulse.died(why);
        onDeath.accept(why);
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    public Config config() {
        return config;
    }

    /// The way into the cell, for whoever lives in the same process.
    public Inlet inlet() {
        return Objects.requireNonNull(cellThread);
    }

    public View view() {
        return Objects.requireNonNull(follower).view();
    }

    public int grpcPort() {
        return Objects.requireNonNull(grpc).port();
    }

    public String url() {
        return Objects.requireNonNull(web).url();
    }

    public String metricsUrl() {
        return Objects.requireNonNull(web).metricsUrl() + config.metrics().path();
    }

    /// What is printed when all is well.
    public String readyLine() {
        return "ready http=%s grpc=%s metrics=%s"
                .formatted(url(), Objects.requireNonNull(grpc).address(), metricsUrl());
    }

    /// Takes no more requests, finishes what has arrived, closes the store. Agents go on by
    /// themselves.
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.warn("a part did not stop as it should", e);
            }
        }
    }
}

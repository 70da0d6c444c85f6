package io.gpusched.server;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.event.Report;
import io.gpusched.core.state.ClusterView;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.agents.AgentTimes;
import io.gpusched.server.agents.HeatQuantizer;
import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.cell.CellClock;
import io.gpusched.server.cell.CellThread;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.cell.QueryFollower;
import io.gpusched.server.cell.SnapshotMaker;
import io.gpusched.server.cell.StoreWatch;
import io.gpusched.server.cell.TimedJournal;
import io.gpusched.server.config.AgentSection;
import io.gpusched.server.config.Config;
import io.gpusched.server.forecast.StartForecaster;
import io.gpusched.server.grpc.GrpcPort;
import io.gpusched.server.grpc.SchedulerCalls;
import io.gpusched.server.http.RestPorts;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.learn.ChoiceCountRecorder;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.metrics.ScoreMeters;
import io.gpusched.server.net.ConnectionBudget;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.server.plugin.PluginJars;
import io.gpusched.server.retention.Retention;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.View;
import io.gpusched.server.whatif.RecordedConfigs;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.server.whatif.StoredHistory;
import io.gpusched.server.whatif.WhatIfService;
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
    private final Liveness liveness = new Liveness();
    private final ModelCopies copies = new ModelCopies();
    private LoadedPlugins plugins = LoadedPlugins.NONE;
    private @Nullable Follower follower;
    private @Nullable CellThread cellThread;
    private @Nullable GrpcPort grpc;
    private @Nullable RestPorts restPorts;

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
            SqlJournal journal,
            Snapshots snapshots,
            RecoveredEngines engines,
            Tables tables,
            PastJobs pastJobs) {}

    /// What decides and carries out.
    private record Middle(
            Follower follower,
            CellThread owner,
            AgentServices agentServices,
            IdleWatch idle,
            StartForecaster startForecaster,
            Meters meters,
            ScoreService desk,
            ShadowPolicy shadowPolicy,
            WhatIfService whatIf) {}

    private void begin() {
        config.remarks().forEach(LOG::warn);
        plugins = PluginJars.load(config.placement(), config.scheduler().policy());
        plugins.remarks().forEach(LOG::warn);
        RecoveredEngines.check(config, plugins);
        Tokens tokens = openTokens();
        var authenticator = new Authenticator(tokens, config.api().auth());
        Memory memory = remember();
        Middle middle = takeCharge(memory, authenticator);
        listen(memory, middle, tokens, authenticator);
    }

    /// Where snapshots are kept.
    static Path snapshots(Path dataDir) {
        return dataDir.resolve("snapshots");
    }

    private Memory remember() {
        SqlJournal journal =
                keep(SqlJournal.open(ListenerAdapters.database(config.database()), liveness));
        var snapshots = new Snapshots(snapshots(config.dataDir()), SNAPSHOTS, liveness);
        var engines = RecoveredEngines.from(journal, snapshots, config, plugins);
        Tables tables = keep(Tables.open(journal, liveness));
        clock.startAt(engines.engine().state().lastAt());
        var pastJobs = new PastJobs(keep(new JobHistory(journal.database())), tables::watermark);
        return new Memory(journal, snapshots, engines, tables, pastJobs);
    }

    private Middle takeCharge(Memory memory, Authenticator authenticator) {
        Meters meters = meters();
        ScoreService desk = desk(memory, meters);
        StartForecaster startForecaster = outlooks(meters, memory.engines.mirror().state());
        var mirrored = memory.engines.mirror().state();
        var idle = new IdleWatch(config.scheduler().idle(), mirrored, silence(), this::report);
        ShadowPolicy shadowPolicy = keep(shadow(memory, meters));
        var departures = new NodeDepartures();
        Follower.BatchListener history = (batch, cycleResult, engine) -> memory.pastJobs.add(batch);
        Follower following =
                follow(
                        memory.engines,
                        List.of(maker(memory)),
                        List.of(
                                history,
                                meters,
                                idle,
                                desk,
                                startForecaster,
                                new NodeEventLog(mirrored),
                                departures,
                                shadowPolicy));
        // Not only higher than before: agents may know a journal that was lost since.
        long term = memory.journal.raiseTerm(clock.instant().toEpochMilli());
        AgentServices agentServices = agents(memory, agentSetup(term, authenticator));
        agentServices.telemetry().listen(idle);
        departures.listen(agentServices::forget);
        var journal = new TimedJournal(memory.journal);
        var cell = new Cell(memory.engines.engine(), journal, agentServices.launcher(), following);
        CellThread owner = owner(cell, journal, following, meters);
        keep(agentServices);
        // Before anything is assigned: how long a lost agent is waited for depends on what its
        // tasks asked.
        ListenerAdapters.introduce(memory.engines.engine().state(), agentServices);
        cell.takeCharge(
                term,
                ListenerAdapters.version(),
                ListenerAdapters.fingerprint(config, plugins),
                clock.instant());
        following.start();
        owner.start();
        ListenerAdapters.tell(config, owner);
        keep(new ChoiceCountRecorder(desk, owner)).start();
        agentServices.start();
        watch(memory.journal);
        memory.tables.start();
        keep(retention(memory, owner, following)).start();
        keep(startForecaster).start(following);
        shadowPolicy.start();
        var whatIf =
                keep(new WhatIfService(() -> new StoredHistory(memory.journal), ways(), clock));
        return new Middle(
                following,
                owner,
                agentServices,
                idle,
                startForecaster,
                meters,
                desk,
                shadowPolicy,
                whatIf);
    }

    private CellThread owner(Cell cell, TimedJournal journal, Follower following, Meters meters) {
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
        return owner;
    }

    private Meters meters() {
        var meters = new Meters();
        meters.gauge(
                "gpu_scheduler_clock_ahead_seconds",
                "How far the machine's clock is ahead of the scheduler's time.",
                () -> clock.wallAhead().toMillis() / 1000.0);
        return meters;
    }

    private AgentServices agents(Memory memory, AgentServices.Setup setup) {
        return new AgentServices(
                setup.withProof(memory.journal::oursAt)
                        .withLeaseBefore(
                                ListenerAdapters.leaseBefore(memory.engines.engine().state())),
                this::report,
                this::died);
    }

    private void watch(SqlJournal journal) {
        var storeWatch = keep(new StoreWatch(journal, this::died));
        storeWatch.start();
        liveness.watch(storeWatch::trouble);
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
            RecoveredEngines engines,
            List<Follower.BatchListener> slow,
            List<Follower.BatchListener> listeners) {
        var queries = new QueryFollower(engines.copy(config, plugins), slow, this::died);
        var following = keep(new Follower(engines.mirror(), queries, listeners, this::died));
        follower = following;
        return following;
    }

    private ShadowPolicy shadow(Memory memory, Meters meters) {
        String policy = config.scheduler().shadowPolicy();
        return policy.isEmpty()
                ? ShadowPolicy.none()
                : ShadowPolicy.beside(
                                memory.engines.mirror(),
                                ListenerAdapters.way(config, plugins),
                                policy,
                                ways())
                        .meteredBy(meters);
    }

    private RecordedConfigs ways() {
        return new RecordedConfigs(plugins.rules());
    }

    private StartForecaster outlooks(Meters meters, ClusterView present) {
        var startForecaster =
                new StartForecaster(
                        RecoveredEngines.settings(config, plugins),
                        config.learning().outlook(),
                        clock,
                        copies,
                        config.dataDir());
        startForecaster.resume(present);
        meters.gauge(
                "gpu_scheduler_eta_coverage_ratio",
                "Of the jobs that started, the part that did within the range first told.",
                startForecaster::coverage);
        return startForecaster;
    }

    private SnapshotMaker maker(Memory memory) {
        return new SnapshotMaker(
                memory.snapshots, config.database().snapshotEvents(), memory.engines.replayed());
    }

    private ScoreService desk(Memory memory, Meters meters) {
        return new ScoreService(
                config.learning().scores(),
                memory.engines.mirror().learner(),
                new ScoreMeters(meters));
    }

    private void listen(Memory memory, Middle middle, Tokens tokens, Authenticator authenticator) {
        Follower following = middle.follower;
        CellThread owner = middle.owner;
        var readings = new TelemetryReadings(middle.agentServices.telemetry());
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
                        middle.startForecaster,
                        clock);
        grpc =
                keep(
                        GrpcPort.start(
                                config.api(),
                                List.of(
                                        middle.agentServices.service(),
                                        calls.service(authenticator, rate)),
                                budget.grpc()));
        restPorts =
                keep(
                        RestPorts.start(
                                config,
                                new RestPorts.Parts(
                                        owner,
                                        following,
                                        memory.pastJobs,
                                        jobs,
                                        tenants,
                                        tokens,
                                        authenticator,
                                        rate,
                                        liveness,
                                        middle.agentServices.logs(),
                                        readings,
                                        middle.agentServices,
                                        middle.idle,
                                        middle.startForecaster,
                                        middle.meters,
                                        clusterMeters,
                                        middle.desk,
                                        copies,
                                        middle.shadowPolicy,
                                        middle.whatIf,
                                        RecoveredEngines.settings(config, plugins).policy(),
                                        ListenerAdapters.version(),
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

    private AgentServices.Setup agentSetup(long term, Authenticator authenticator) {
        AgentSection agent = config.agent();
        Duration silent = agent.heartbeat().multipliedBy(4);
        var times =
                new AgentTimes(
                        agent.lease().compareTo(silent) < 0 ? silent : agent.lease(),
                        agent.heartbeat(),
                        agent.metrics(),
                        silent,
                        AgentTimes.DEFAULT.margin());
        return AgentServices.Setup.open(term)
                .with(times)
                .with(clock)
                .with(new HeatQuantizer(config.scheduler().thermalThreshold()))
                .with(
                        token ->
                                mayJoin(
                                        authenticator.callerOf(
                                                token.isEmpty() ? null : "Bearer " + token)));
    }

    private static boolean mayJoin(@Nullable Caller caller) {
        return caller instanceof Caller.Joiner || caller instanceof Caller.Admin;
    }

    private void report(Report report, BooleanSupplier wanted, Runnable settled) {
        Objects.requireNonNull(cellThread).tell(report, wanted, answer -> settled.run());
    }

    private void died(Throwable why) {
        liveness.died(why);
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
    public CommandGateway commandGateway() {
        return Objects.requireNonNull(cellThread);
    }

    public View view() {
        return Objects.requireNonNull(follower).view();
    }

    public int grpcPort() {
        return Objects.requireNonNull(grpc).port();
    }

    public String url() {
        return Objects.requireNonNull(restPorts).url();
    }

    public String metricsUrl() {
        return Objects.requireNonNull(restPorts).metricsUrl() + config.metrics().path();
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

package io.gpusched.sim.scaling;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolNodes;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.trace.TraceJob;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/// What surrounds a law that decides a recorded span again: the replicas of the beginning, the
/// reports of the hour before, and the recorded holds and changes.
final class RecordedCase {
    /// So long after the end requests may still be answered.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final long LONGEST_REPORT = 15;
    private static final String PRICE = "capacity";
    private static final String RECORDED = "recorded";

    /// More nodes than this are not made.
    private static final int MOST_REPLICAS = 2_000;

    /// Far above the numbers of simulated replicas.
    private static final long OTHER = 1L << 40;

    private final PoolRecord record;
    private final Pool pool;
    private final @Nullable UnaryOperator<Pool> law;

    /// @param pool the pool at the beginning
    /// @param law makes what is tried from each recorded document; null where none of them counts
    RecordedCase(PoolRecord record, Pool pool, @Nullable UnaryOperator<Pool> law) {
        this.record = record;
        this.pool = pool;
        this.law = law;
    }

    PoolCase with(List<ServingRequest> requests, IterationCost cost) {
        int nodes = Math.max(record.initial(), Math.min(MOST_REPLICAS, pool.max()));
        for (PoolCase.RoomAt room : record.rooms()) {
            nodes = Math.max(nodes, Math.min(MOST_REPLICAS, room.replicas()));
        }
        Duration span = Duration.between(record.from(), record.to());
        return new PoolCase(
                requests,
                cost,
                record.from(),
                record.loadTime(),
                every(),
                PoolNodes.single(nodes, Labels.of(PRICE, RECORDED)),
                atFirst(),
                script(),
                record.rooms(),
                new RecordedGauges(record.reports()),
                span,
                span.plus(PATIENCE));
    }

    /// How often the load was reported, by the middle one of all reports.
    private Duration every() {
        List<Duration> spans =
                record.reports().stream().map(sample -> sample.load().over()).sorted().toList();
        long seconds = spans.get(spans.size() / 2).plusMillis(500).toSeconds();
        return Duration.ofSeconds(Math.clamp(seconds, 1L, LONGEST_REPORT));
    }

    /// Before the beginning the pool is held at a size and has no law.
    private Pool atFirst() {
        Pool plain = plain(pool);
        return new Pool(
                plain.id(),
                plain.model(),
                plain.replica(),
                0,
                Math.max(plain.max(), Math.max(1, record.initial())),
                0,
                plain.slo(),
                ScalingRules.of("static"),
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                plain.serving());
    }

    private List<PoolCase.Scripted> script() {
        var script = new ArrayList<PoolCase.Scripted>();
        Instant ready = record.from().plus(every()).minus(record.loadTime());
        Instant latest = record.from().minusMillis(1);
        Instant placed = ready.isBefore(latest) ? ready : latest;
        Instant begin = placed;
        for (LoadHistory.Sample sample : record.before()) {
            begin = sample.at().isBefore(begin) ? sample.at() : begin;
        }
        var held = new ArrayList<Input>();
        if (record.dollarsPerHour() > 0) {
            held.add(new Command.SetMarket(market(), PoolRun.BY));
        }
        held.add(hold(0));
        script.add(new PoolCase.Scripted(begin, held));
        script.add(PoolCase.Scripted.of(placed, hold(record.initial())));
        for (LoadHistory.Sample sample : record.before()) {
            script.add(PoolCase.Scripted.of(sample.at(), earlier(sample.load())));
        }
        script.sort(Comparator.comparing(PoolCase.Scripted::at));
        script.add(new PoolCase.Scripted(record.from(), start()));
        record.changes().forEach(change -> add(change, script));
        return script;
    }

    private List<Input> start() {
        var start = new ArrayList<Input>();
        record.before().stream()
                .map(sample -> sample.load().source())
                .distinct()
                .forEach(source -> start.add(silence(source)));
        start.add(new Command.PutPool(plain(pool), PoolRun.BY));
        start.add(release(record.held()));
        return start;
    }

    private void add(PoolRecord.Change change, List<PoolCase.Scripted> script) {
        if (change.at().isBefore(record.from()) || change.at().isAfter(record.to())) {
            return;
        }
        if (change.input() instanceof Command.PutPool put && law != null) {
            Pool next = plain(law.apply(put.pool()));
            script.add(PoolCase.Scripted.of(change.at(), new Command.PutPool(next, PoolRun.BY)));
        } else if (change.input() instanceof Command.ScalePool scale) {
            script.add(PoolCase.Scripted.of(change.at(), release(scale.replicas())));
        }
    }

    private Market market() {
        return new Market(PRICE, RECORDED, Math.round(record.dollarsPerHour() * 1e6), 0, false);
    }

    private Command hold(@Nullable Integer replicas) {
        return new Command.ScalePool(record.pool().id(), replicas, RECORDED, PoolRun.BY);
    }

    /// The recorded hold, or its end.
    private Command release(@Nullable Integer replicas) {
        return hold(replicas == null ? null : Integer.valueOf(Math.min(pool.max(), replicas)));
    }

    /// A report of the hour before, about replicas that the run does not have.
    private Report earlier(PoolLoad load) {
        List<ReplicaLoad> replicas =
                load.replicas().stream()
                        .map(
                                one ->
                                        new ReplicaLoad(
                                                new JobId(OTHER + one.replica().number()),
                                                one.ready(),
                                                one.running(),
                                                one.waiting(),
                                                one.waitingTokens(),
                                                one.kvPermille(),
                                                one.firstTokenMillis(),
                                                one.interTokenMicros(),
                                                one.promptTokens(),
                                                one.outputTokens()))
                        .toList();
        return new Report.PoolLoad(
                record.pool().id(),
                new PoolLoad(
                        RECORDED + ":" + load.source(),
                        load.sequence(),
                        load.over(),
                        load.arrivals(),
                        load.rejected(),
                        load.promptTokens(),
                        load.outputTokens(),
                        0,
                        0,
                        load.sessions(),
                        load.contextTokens(),
                        load.toolCalls(),
                        load.queueDepth(),
                        load.answered(),
                        load.withinSlo(),
                        load.firstTokenP95Millis(),
                        replicas));
    }

    /// The source of earlier reports has nothing more to say.
    private Report silence(String source) {
        return new Report.PoolLoad(
                record.pool().id(),
                new PoolLoad(
                        RECORDED + ":" + source,
                        Long.MAX_VALUE,
                        Duration.ofMillis(1),
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        List.of()));
    }

    /// The pool with what matters in a run: its sizes, objectives, law, schedules, hours and the
    /// limit of its cost. Replicas are all alike.
    private Pool plain(Pool pool) {
        CostRules cost = CostRules.NONE;
        CarbonRules carbon = pool.carbon();
        ServingRules serving = ServingRules.NONE;
        return new Pool(
                pool.id(),
                "",
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(TraceJob.Ask.ofGpus(1).shape(), 1)))
                        .name(pool.id().name())
                        .build(),
                pool.min(),
                pool.max(),
                pool.warmPercent(),
                pool.slo(),
                pool.scaling(),
                new CostRules(
                        pool.cost().maxMicroDollarsPerHour(),
                        cost.headroomMillis(),
                        cost.spotPercent(),
                        cost.spotTypes(),
                        cost.maxInterruptions(),
                        cost.window(),
                        cost.migrate(),
                        cost.fallbackModel(),
                        cost.fallbackOnCost(),
                        cost.fallbackOnSlo(),
                        cost.largerModel()),
                new CarbonRules(List.of(), 0, carbon.cleanFromMinute(), carbon.cleanMinutes()),
                LocalityRules.NONE,
                new ServingRules(
                        serving.port(),
                        serving.healthPath(),
                        serving.metricsPath(),
                        pool.serving().drain(),
                        serving.affinityHeader(),
                        serving.affinityFor(),
                        record.loadTime()));
    }
}

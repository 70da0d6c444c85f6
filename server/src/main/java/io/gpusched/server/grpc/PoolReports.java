package io.gpusched.server.grpc;

import com.google.protobuf.Timestamp;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.explain.PoolExplainer;
import io.gpusched.core.explain.PoolExplanation;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.SizeDecision;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.history.PoolHistoryReader;
import io.gpusched.server.history.PoolSampler;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.View;
import io.gpusched.store.StoreException;
import io.gpusched.wire.proto.scheduler.ExplainPoolResponse;
import io.gpusched.wire.proto.scheduler.GetPoolHistoryRequest;
import io.gpusched.wire.proto.scheduler.GetPoolHistoryResponse;
import io.gpusched.wire.proto.scheduler.PoolSeries;
import io.gpusched.wire.proto.scheduler.PoolSizeChange;
import io.gpusched.wire.proto.scheduler.WaitingReplica;
import io.grpc.Status;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Answers gRPC calls that ask why a pool has its size and how it was before.
public final class PoolReports {
    private static final Duration USUAL = Duration.ofHours(1);
    private static final int USUAL_POINTS = 300;
    private static final int MOST_POINTS = 2000;

    /// The times that a database can hold, in seconds since 1970.
    private static final long LATEST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private final Follower follower;
    private final PoolHistoryReader reader;
    private final CallerTexts callerTexts;
    private final InstantSource clock;

    public PoolReports(
            Follower follower, PoolHistoryReader reader, PastJobs pastJobs, InstantSource clock) {
        this.follower = follower;
        this.reader = reader;
        this.callerTexts = new CallerTexts(follower::view, pastJobs);
        this.clock = clock;
    }

    Supplier<View> views() {
        return follower::view;
    }

    /// Jobs of other tenants are not named.
    ExplainPoolResponse explain(PoolRow row, Caller caller) {
        PoolExplanation why = follower.ask(engine -> explained(engine, row.pool().id()));
        UnaryOperator<String> readable = callerTexts.of(caller);
        var out =
                ExplainPoolResponse.newBuilder()
                        .setName(why.pool().name())
                        .setDesired(why.desired())
                        .setWouldBe(why.wouldBe())
                        .setRule(why.rule())
                        .setReason(why.reason())
                        .addAllSteps(why.steps())
                        .setWhyNotMore(why.whyNotMore())
                        .setCapacity(readable.apply(why.capacity()));
        for (Explanation each : why.waiting()) {
            out.addWaiting(
                    WaitingReplica.newBuilder()
                            .setJobId(each.job().toString())
                            .setSummary(readable.apply(each.summary())));
        }
        why.recent().forEach(change -> out.addRecent(change(change)));
        return out.build();
    }

    private PoolExplanation explained(Engine engine, PoolId pool) {
        PoolExplanation why = new PoolExplainer(engine, clock.instant()).explain(pool);
        if (why == null) {
            throw Status.NOT_FOUND
                    .withDescription("pool " + pool + " is gone; list what there is")
                    .asRuntimeException();
        }
        return why;
    }

    private static PoolSizeChange change(SizeDecision change) {
        return PoolSizeChange.newBuilder()
                .setAt(JobMessages.timestamp(change.at()))
                .setFrom(change.from())
                .setTo(change.to())
                .setRule(change.rule())
                .setReason(change.reason())
                .build();
    }

    GetPoolHistoryResponse history(PoolRow row, GetPoolHistoryRequest request) {
        HistoryReader.Chart chart;
        try {
            chart = reader.read(window(request), PoolSampler.key(row));
        } catch (StoreException e) {
            throw Status.UNAVAILABLE
                    .withDescription("the history cannot be read: " + e.getMessage())
                    .asRuntimeException();
        }
        var out =
                GetPoolHistoryResponse.newBuilder()
                        .setStepSeconds(chart.stepSeconds())
                        .addAllTimes(chart.times());
        chart.series()
                .forEach(
                        (name, figures) ->
                                out.addSeries(
                                        PoolSeries.newBuilder()
                                                .setName(name)
                                                .addAllFigures(figures)));
        return out.build();
    }

    private HistoryReader.Window window(GetPoolHistoryRequest request) {
        long to = request.hasTo() ? seconds(request.getTo()) : clock.instant().getEpochSecond();
        long from =
                request.hasFrom()
                        ? seconds(request.getFrom())
                        : Math.max(0, to - USUAL.toSeconds());
        if (from >= to) {
            throw invalid("from: expected a time before to; to is now if it is absent");
        }
        int points = request.getPoints() == 0 ? USUAL_POINTS : request.getPoints();
        if (points < 1 || points > MOST_POINTS) {
            throw invalid(
                    "points: expected 1 to %d, found %d; zero is %d"
                            .formatted(MOST_POINTS, points, USUAL_POINTS));
        }
        return new HistoryReader.Window(from, to, points);
    }

    private static RuntimeException invalid(String message) {
        return Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException();
    }

    private static long seconds(Timestamp time) {
        return Math.clamp(time.getSeconds(), 0, LATEST);
    }
}

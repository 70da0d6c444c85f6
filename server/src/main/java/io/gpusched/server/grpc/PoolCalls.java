package io.gpusched.server.grpc;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.SizeDecision;
import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.intake.IntakeResult;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.ReplicaAddress;
import io.gpusched.server.view.ReplicaRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.pool.LoadRequest;
import io.gpusched.wire.proto.scheduler.DeletePoolRequest;
import io.gpusched.wire.proto.scheduler.DeletePoolResponse;
import io.gpusched.wire.proto.scheduler.ExplainPoolRequest;
import io.gpusched.wire.proto.scheduler.ExplainPoolResponse;
import io.gpusched.wire.proto.scheduler.GetPoolHistoryRequest;
import io.gpusched.wire.proto.scheduler.GetPoolHistoryResponse;
import io.gpusched.wire.proto.scheduler.GetPoolRequest;
import io.gpusched.wire.proto.scheduler.ListPoolsRequest;
import io.gpusched.wire.proto.scheduler.ListPoolsResponse;
import io.gpusched.wire.proto.scheduler.PatchPoolRequest;
import io.gpusched.wire.proto.scheduler.PatchPoolResponse;
import io.gpusched.wire.proto.scheduler.PoolReplica;
import io.gpusched.wire.proto.scheduler.PoolServiceGrpc;
import io.gpusched.wire.proto.scheduler.PoolStatus;
import io.gpusched.wire.proto.scheduler.PutPoolRequest;
import io.gpusched.wire.proto.scheduler.PutPoolResponse;
import io.gpusched.wire.proto.scheduler.ReportPoolLoadRequest;
import io.gpusched.wire.proto.scheduler.ReportPoolLoadResponse;
import io.gpusched.wire.proto.scheduler.ScalePoolRequest;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Parsed;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Supplier;

/// The gRPC service `scheduler.PoolService`. Each call does the same as its counterpart in the REST
/// API.
public final class PoolCalls extends PoolServiceGrpc.PoolServiceImplBase {
    private final CommandGateway gateway;
    private final PoolIntake intake;
    private final Supplier<View> views;
    private final JsonReader json;
    private final PoolReports reports;
    private final InstantSource clock;

    /// @param mostBytes largest size of a document
    public PoolCalls(
            CommandGateway gateway,
            PoolIntake intake,
            PoolReports reports,
            int mostBytes,
            InstantSource clock) {
        this.gateway = gateway;
        this.intake = intake;
        this.reports = reports;
        this.views = reports.views();
        this.json = new JsonReader(mostBytes);
        this.clock = clock;
    }

    /// The service, with authentication and rate limit. Gateways may call it too.
    public ServerServiceDefinition service(Authenticator authenticator, RateLimit rate) {
        return ServerInterceptors.intercept(this, CallerCheck.withGateways(authenticator, rate));
    }

    @Override
    public void putPool(PutPoolRequest request, StreamObserver<PutPoolResponse> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    var accepted =
                            accepted(
                                    intake.put(
                                            request.getName(),
                                            document(request.getDocument()),
                                            caller()));
                    return PutPoolResponse.newBuilder()
                            .setAction(accepted.what().name().toLowerCase(Locale.ROOT))
                            .addAllWarnings(accepted.warnings())
                            .build();
                });
    }

    @Override
    public void patchPool(PatchPoolRequest request, StreamObserver<PatchPoolResponse> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    var accepted =
                            accepted(
                                    intake.change(
                                            () -> row(request.getName()),
                                            document(request.getDocument()),
                                            caller()));
                    return PatchPoolResponse.newBuilder()
                            .setAction(accepted.what().name().toLowerCase(Locale.ROOT))
                            .addAllWarnings(accepted.warnings())
                            .build();
                });
    }

    @Override
    public void explainPool(ExplainPoolRequest request, StreamObserver<ExplainPoolResponse> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    return reports.explain(row(request.getName()), caller());
                });
    }

    @Override
    public void getPoolHistory(
            GetPoolHistoryRequest request, StreamObserver<GetPoolHistoryResponse> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    return reports.history(row(request.getName()), request);
                });
    }

    @Override
    public void getPool(GetPoolRequest request, StreamObserver<PoolStatus> out) {
        answer(out, () -> status(row(request.getName())));
    }

    @Override
    public void listPools(ListPoolsRequest request, StreamObserver<ListPoolsResponse> out) {
        answer(
                out,
                () -> {
                    var all = ListPoolsResponse.newBuilder();
                    views.get().pools().rows().all().stream()
                            .filter(row -> caller().mayTouch(row.pool().tenant()))
                            .sorted(Comparator.comparing(row -> row.pool().id()))
                            .forEach(row -> all.addPools(status(row)));
                    return all.build();
                });
    }

    @Override
    public void scalePool(ScalePoolRequest request, StreamObserver<PoolStatus> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    PoolId id = row(request.getName()).pool().id();
                    run(
                            new Command.ScalePool(
                                    id,
                                    request.hasReplicas() ? request.getReplicas() : null,
                                    request.getReason(),
                                    caller().label()));
                    return status(row(request.getName()));
                });
    }

    @Override
    public void deletePool(DeletePoolRequest request, StreamObserver<DeletePoolResponse> out) {
        answer(
                out,
                () -> {
                    refuseGateways();
                    PoolId id = row(request.getName()).pool().id();
                    run(new Command.RemovePool(id, caller().label()));
                    return DeletePoolResponse.getDefaultInstance();
                });
    }

    @Override
    public void reportPoolLoad(
            ReportPoolLoadRequest request, StreamObserver<ReportPoolLoadResponse> out) {
        answer(
                out,
                () -> {
                    PoolId id = row(request.getName()).pool().id();
                    return switch (LoadRequest.read(document(request.getReport()))) {
                        case Parsed.Invalid(var problems) -> throw GrpcRefusals.of(problems);
                        case Parsed.Valid(var load, var warnings) -> {
                            run(new Report.PoolLoad(id, load));
                            yield ReportPoolLoadResponse.newBuilder()
                                    .addAllWarnings(warnings)
                                    .build();
                        }
                    };
                });
    }

    private static void refuseGateways() {
        if (caller() instanceof Caller.Gateway) {
            throw Status.PERMISSION_DENIED
                    .withDescription("a gateway's token reads pools and reports load only")
                    .asRuntimeException();
        }
    }

    private PoolRow row(String name) {
        PoolRow row = name.isEmpty() ? null : views.get().pools().rows().row(new PoolId(name));
        if (row == null || !caller().mayTouch(row.pool().tenant())) {
            throw Status.NOT_FOUND
                    .withDescription("there is no pool " + name + "; list what there is")
                    .asRuntimeException();
        }
        return row;
    }

    private PoolStatus status(PoolRow row) {
        Instant now = clock.instant();
        SizeDecision decided = row.decided();
        var status =
                PoolStatus.newBuilder()
                        .setName(row.pool().id().name())
                        .setTenantId(row.pool().tenant().name())
                        .setModel(row.pool().model())
                        .setMinReplicas(row.pool().min())
                        .setMaxReplicas(row.pool().max())
                        .setPhase(row.phase(now).toString())
                        .setDesired(row.desired())
                        .setReady(row.counts().ready())
                        .setStarting(row.counts().starting())
                        .setWaiting(row.counts().waiting())
                        .setDraining(row.counts().draining())
                        .setRule(decided == null ? "" : decided.rule())
                        .setReason(decided == null ? "" : decided.reason())
                        .setCostPerHour(row.costPerHour())
                        .setStale(row.isStale(now));
        Integer hold = row.hold();
        if (hold != null) {
            status.setHeldAt(hold);
        }
        row.replicas().forEach(replica -> status.addReplicas(replica(row, replica)));
        return status.build();
    }

    private PoolReplica replica(PoolRow row, ReplicaRow replica) {
        NodeId node = replica.node();
        String address = ReplicaAddress.of(row, replica, views.get());
        return PoolReplica.newBuilder()
                .setJobId(replica.job().toString())
                .setNumber(replica.number())
                .setState(replica.state().name().toLowerCase(Locale.ROOT))
                .setNodeId(node == null ? "" : node.name())
                .setAddress(address == null ? "" : address)
                .setSpot(replica.spot())
                .build();
    }

    private JsonTree.Mapping document(String text) {
        try {
            return json.readObject(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedException e) {
            throw Status.INVALID_ARGUMENT.withDescription(e.says()).asRuntimeException();
        }
    }

    private static Caller caller() {
        return CallerCheck.CALLER.get();
    }

    private void run(Input input) {
        if (gateway.ask(input) instanceof Answer.Rejected rejected) {
            throw GrpcRefusals.of(rejected.problems());
        }
    }

    private static <T> IntakeResult.Accepted<T> accepted(IntakeResult<T> result) {
        return switch (result) {
            case IntakeResult.Accepted<T> accepted -> accepted;
            case IntakeResult.Refused<T> refused -> throw GrpcRefusals.of(refused.problems());
        };
    }

    private static <T> void answer(StreamObserver<T> out, Supplier<T> call) {
        try {
            T answer = call.get();
            out.onNext(answer);
            out.onCompleted();
        } catch (StatusRuntimeException e) {
            out.onError(e);
        } catch (CellUnavailable e) {
            out.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
        }
    }
}

package io.gpusched.wire.codec;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TaskState;
import io.gpusched.wire.proto.ModelProto;

import java.time.Duration;

/// Converts runs of jobs, the states of their tasks, and their outcomes.
final class RunCodec {
    private static final TaskState ASSIGNED = new TaskState.Assigned();
    private static final TaskState PREPARED = new TaskState.Prepared();
    private static final TaskState RUNNING = new TaskState.Running();

    private final PlacementCodec places;

    RunCodec(PlacementCodec places) {
        this.places = places;
    }

    static ModelProto.AttemptId encode(AttemptId id) {
        return ModelProto.AttemptId.newBuilder()
                .setJob(id.job().number())
                .setNumber(id.number())
                .setTerm(id.term())
                .build();
    }

    static AttemptId decode(ModelProto.AttemptId message) {
        return new AttemptId(new JobId(message.getJob()), message.getNumber(), message.getTerm());
    }

    ModelProto.Run encode(Run run) {
        var message =
                ModelProto.Run.newBuilder()
                        .setId(encode(run.id()))
                        .setOn(places.encode(run.on()))
                        .setPlacedMicros(TimeCodec.micros(run.placed()));
        run.tasks().forEach(task -> message.addTasks(encode(task)));
        return message.build();
    }

    Run decode(ModelProto.Run message) {
        return new Run(
                decode(message.getId()),
                places.decode(message.getOn()),
                TimeCodec.instant(message.getPlacedMicros()),
                message.getTasksList().stream().map(RunCodec::decode).toList());
    }

    static ModelProto.TaskState encode(TaskState state) {
        var message = ModelProto.TaskState.newBuilder();
        switch (state) {
            case TaskState.Assigned _ ->
                    message.setAssigned(ModelProto.TaskState.Assigned.getDefaultInstance());
            case TaskState.Prepared _ ->
                    message.setPrepared(ModelProto.TaskState.Prepared.getDefaultInstance());
            case TaskState.Running _ ->
                    message.setRunning(ModelProto.TaskState.Running.getDefaultInstance());
            case TaskState.Ended ended ->
                    message.getEndedBuilder()
                            .setHow(encode(ended.exit().how()))
                            .setCode(ended.exit().code())
                            .setDetail(ended.exit().detail())
                            .setRanNanos(ended.exit().ran().toNanos());
        }
        return message.build();
    }

    static TaskState decode(ModelProto.TaskState message) {
        return switch (message.getKindCase()) {
            case ASSIGNED -> ASSIGNED;
            case PREPARED -> PREPARED;
            case RUNNING -> RUNNING;
            case ENDED -> {
                var exit = message.getEnded();
                yield new TaskState.Ended(
                        new Exit(
                                decode(exit.getHow()),
                                exit.getCode(),
                                exit.getDetail(),
                                Duration.ofNanos(exit.getRanNanos())));
            }
            case KIND_NOT_SET -> throw UnreadableException.unknown("task state", "none");
        };
    }

    private static ModelProto.Exit.How encode(Exit.How how) {
        return switch (how) {
            case EXITED -> ModelProto.Exit.How.EXITED;
            case SIGNALLED -> ModelProto.Exit.How.SIGNALLED;
            case STOPPED -> ModelProto.Exit.How.STOPPED;
            case TIMEOUT -> ModelProto.Exit.How.TIMEOUT;
            case LOST -> ModelProto.Exit.How.LOST;
            case REFUSED -> ModelProto.Exit.How.REFUSED;
            case WITHDRAWN -> ModelProto.Exit.How.WITHDRAWN;
        };
    }

    private static Exit.How decode(ModelProto.Exit.How how) {
        return switch (how) {
            case EXITED -> Exit.How.EXITED;
            case SIGNALLED -> Exit.How.SIGNALLED;
            case STOPPED -> Exit.How.STOPPED;
            case TIMEOUT -> Exit.How.TIMEOUT;
            case LOST -> Exit.How.LOST;
            case REFUSED -> Exit.How.REFUSED;
            case WITHDRAWN -> Exit.How.WITHDRAWN;
            case UNSPECIFIED, UNRECOGNIZED -> throw UnreadableException.unknown("exit", how);
        };
    }

    static ModelProto.StopCause encode(StopCause cause) {
        return ModelProto.StopCause.newBuilder()
                .setKind(encode(cause.kind()))
                .setDetail(cause.detail())
                .build();
    }

    static StopCause decode(ModelProto.StopCause message) {
        return new StopCause(decode(message.getKind()), message.getDetail());
    }

    private static ModelProto.StopCause.Kind encode(StopCause.Kind kind) {
        return switch (kind) {
            case CANCELLED -> ModelProto.StopCause.Kind.CANCELLED;
            case PREEMPTED -> ModelProto.StopCause.Kind.PREEMPTED;
            case DRAINED -> ModelProto.StopCause.Kind.DRAINED;
            case NODE_LOST -> ModelProto.StopCause.Kind.NODE_LOST;
            case TASK_FAILED -> ModelProto.StopCause.Kind.TASK_FAILED;
            case START_FAILED -> ModelProto.StopCause.Kind.START_FAILED;
            case IDLE -> ModelProto.StopCause.Kind.IDLE;
            case SCALED_DOWN -> ModelProto.StopCause.Kind.SCALED_DOWN;
            case MOVED -> ModelProto.StopCause.Kind.MOVED;
            case WITHDRAWN -> ModelProto.StopCause.Kind.WITHDRAWN;
        };
    }

    private static StopCause.Kind decode(ModelProto.StopCause.Kind kind) {
        return switch (kind) {
            case CANCELLED -> StopCause.Kind.CANCELLED;
            case PREEMPTED -> StopCause.Kind.PREEMPTED;
            case DRAINED -> StopCause.Kind.DRAINED;
            case NODE_LOST -> StopCause.Kind.NODE_LOST;
            case TASK_FAILED -> StopCause.Kind.TASK_FAILED;
            case START_FAILED -> StopCause.Kind.START_FAILED;
            case IDLE -> StopCause.Kind.IDLE;
            case SCALED_DOWN -> StopCause.Kind.SCALED_DOWN;
            case MOVED -> StopCause.Kind.MOVED;
            case WITHDRAWN -> StopCause.Kind.WITHDRAWN;
            case UNSPECIFIED, UNRECOGNIZED -> throw UnreadableException.unknown("stop", kind);
        };
    }

    static ModelProto.Outcome encode(Outcome outcome) {
        return ModelProto.Outcome.newBuilder()
                .setResult(
                        switch (outcome.result()) {
                            case COMPLETED -> ModelProto.Outcome.Result.COMPLETED;
                            case FAILED -> ModelProto.Outcome.Result.FAILED;
                            case CANCELLED -> ModelProto.Outcome.Result.CANCELLED;
                        })
                .setExitCode(outcome.exitCode())
                .setReason(outcome.reason())
                .build();
    }

    static Outcome decode(ModelProto.Outcome message) {
        var result = message.getResult();
        return new Outcome(
                switch (result) {
                    case COMPLETED -> Outcome.Result.COMPLETED;
                    case FAILED -> Outcome.Result.FAILED;
                    case CANCELLED -> Outcome.Result.CANCELLED;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown("outcome", result);
                },
                message.getExitCode(),
                message.getReason());
    }
}

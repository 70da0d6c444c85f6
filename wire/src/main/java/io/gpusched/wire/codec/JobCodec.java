package io.gpusched.wire.codec;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.RunTotals;
import io.gpusched.wire.proto.ModelProto;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Converts whole jobs with their phase, for snapshots and history. Any thread may use it.
public final class JobCodec {
    private final SpecCodec specs;
    private final RunCodec runs;

    JobCodec(SpecCodec specs, RunCodec runs) {
        this.specs = specs;
        this.runs = runs;
    }

    public static JobCodec create() {
        var nameInterner = new NameInterner();
        return new JobCodec(
                new SpecCodec(nameInterner), new RunCodec(new PlacementCodec(nameInterner)));
    }

    public byte[] encode(Job job) {
        return message(job).toByteArray();
    }

    /// Throws [UnreadableException] for anything that [#encode] did not write.
    public Job decode(byte[] bytes) {
        try {
            return decode(ModelProto.Job.parseFrom(bytes));
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a job cannot be read: " + e.getMessage(), e);
        }
    }

    ModelProto.Job message(Job job) {
        return ModelProto.Job.newBuilder()
                .setId(job.id().number())
                .setSpec(specs.encode(job.spec()))
                .setPriority(job.priority())
                .setSubmittedMicros(TimeCodec.micros(job.submitted()))
                .setPhase(encode(job.phase()))
                .setAttempts(job.attempts())
                .setEvictions(job.evictions())
                .setDrains(job.drains())
                .setLosses(job.losses())
                .setRanNanos(TimeCodec.nanos(job.ran()))
                .setUnagedNanos(TimeCodec.nanos(job.unaged()))
                .build();
    }

    Job decode(ModelProto.Job message) {
        Instant submitted = TimeCodec.instant(message.getSubmittedMicros());
        return new Job(
                new JobId(message.getId()),
                specs.decode(message.getSpec()),
                message.getPriority(),
                submitted,
                decode(message.getPhase(), submitted),
                totals(message));
    }

    private static RunTotals totals(ModelProto.Job message) {
        var totals =
                new RunTotals(
                        message.getAttempts(),
                        message.getEvictions(),
                        message.getDrains(),
                        message.getLosses(),
                        TimeCodec.duration(message.getRanNanos()),
                        TimeCodec.duration(message.getUnagedNanos()));
        return totals.shared();
    }

    private ModelProto.Phase encode(Phase phase) {
        var message = ModelProto.Phase.newBuilder();
        switch (phase) {
            case Phase.Held held ->
                    message.getHeldBuilder()
                            .setSinceMicros(TimeCodec.micros(held.since()))
                            .setWhy(held.why());
            case Phase.Waiting waiting -> encode(waiting, message.getWaitingBuilder());
            case Phase.Starting starting -> encode(starting, message.getStartingBuilder());
            case Phase.Running running ->
                    message.getRunningBuilder()
                            .setRun(runs.encode(running.run()))
                            .setSinceMicros(TimeCodec.micros(running.since()));
            case Phase.Stopping stopping -> encode(stopping, message.getStoppingBuilder());
            case Phase.Ended ended -> encode(ended, message.getEndedBuilder());
        }
        return message.build();
    }

    private static void encode(Phase.Waiting waiting, ModelProto.Phase.Waiting.Builder message) {
        message.setSinceMicros(TimeCodec.micros(waiting.since())).setEvicted(waiting.ranBefore());
        if (waiting.notBefore() != null) {
            message.setNotBeforeMicros(TimeCodec.micros(waiting.notBefore()));
        }
    }

    private void encode(Phase.Starting starting, ModelProto.Phase.Starting.Builder message) {
        message.setRun(runs.encode(starting.run()))
                .setSinceMicros(TimeCodec.micros(starting.since()));
        if (!starting.countedFrom().equals(starting.since())) {
            message.setCountedFromMicros(TimeCodec.micros(starting.countedFrom()));
        }
    }

    private void encode(Phase.Stopping stopping, ModelProto.Phase.Stopping.Builder message) {
        message.setRun(runs.encode(stopping.run()))
                .setSinceMicros(TimeCodec.micros(stopping.since()))
                .setCause(RunCodec.encode(stopping.cause()));
        if (stopping.started() != null) {
            message.setStartedMicros(TimeCodec.micros(stopping.started()));
        }
    }

    private void encode(Phase.Ended ended, ModelProto.Phase.Ended.Builder message) {
        message.setAtMicros(TimeCodec.micros(ended.at()))
                .setOutcome(RunCodec.encode(ended.outcome()));
        if (ended.last() != null) {
            message.setLast(runs.encode(ended.last()));
        }
        if (ended.started() != null) {
            message.setStartedMicros(TimeCodec.micros(ended.started()));
        }
    }

    private Phase decode(ModelProto.Phase message, Instant submitted) {
        return switch (message.getKindCase()) {
            case HELD ->
                    new Phase.Held(
                            TimeCodec.instant(message.getHeld().getSinceMicros()),
                            message.getHeld().getWhy());
            case WAITING -> decode(message.getWaiting(), submitted);
            case STARTING -> {
                var starting = message.getStarting();
                Instant since = TimeCodec.instant(starting.getSinceMicros());
                yield new Phase.Starting(
                        runs.decode(starting.getRun()),
                        since,
                        starting.hasCountedFromMicros()
                                ? TimeCodec.instant(starting.getCountedFromMicros())
                                : since);
            }
            case RUNNING ->
                    new Phase.Running(
                            runs.decode(message.getRunning().getRun()),
                            TimeCodec.instant(message.getRunning().getSinceMicros()));
            case STOPPING -> {
                var stopping = message.getStopping();
                yield new Phase.Stopping(
                        runs.decode(stopping.getRun()),
                        TimeCodec.instant(stopping.getSinceMicros()),
                        started(stopping.hasStartedMicros(), stopping.getStartedMicros()),
                        RunCodec.decode(stopping.getCause()));
            }
            case ENDED -> {
                var ended = message.getEnded();
                yield new Phase.Ended(
                        TimeCodec.instant(ended.getAtMicros()),
                        RunCodec.decode(ended.getOutcome()),
                        ended.hasLast() ? runs.decode(ended.getLast()) : null,
                        started(ended.hasStartedMicros(), ended.getStartedMicros()));
            }
            case KIND_NOT_SET -> throw UnreadableException.unknown("phase", "none");
        };
    }

    private static Phase decode(ModelProto.Phase.Waiting message, Instant submitted) {
        Instant since = TimeCodec.instant(message.getSinceMicros());
        return new Phase.Waiting(
                since.equals(submitted) ? submitted : since,
                started(message.hasNotBeforeMicros(), message.getNotBeforeMicros()),
                message.getEvicted());
    }

    private static @Nullable Instant started(boolean present, long micros) {
        return present ? TimeCodec.instant(micros) : null;
    }
}

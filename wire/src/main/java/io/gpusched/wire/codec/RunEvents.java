package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.JobId;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;

/// Converts events of runs and of claims on capacity.
final class RunEvents {
    private final NameInterner nameInterner;
    private final PlacementCodec places;

    RunEvents(NameInterner nameInterner, PlacementCodec places) {
        this.nameInterner = nameInterner;
        this.places = places;
    }

    JournalProto.AttemptPlaced encode(Event.AttemptPlaced e) {
        return JournalProto.AttemptPlaced.newBuilder()
                .setAttempt(RunCodec.encode(e.attempt()))
                .setOn(places.encode(e.on()))
                .setBecause(e.because())
                .build();
    }

    Event decode(Instant at, JournalProto.AttemptPlaced from) {
        return new Event.AttemptPlaced(
                at,
                RunCodec.decode(from.getAttempt()),
                places.decode(from.getOn()),
                from.getBecause());
    }

    static JournalProto.TaskChanged encode(Event.TaskChanged e) {
        return JournalProto.TaskChanged.newBuilder()
                .setAttempt(RunCodec.encode(e.attempt()))
                .setRank(e.rank())
                .setState(RunCodec.encode(e.state()))
                .build();
    }

    static Event decode(Instant at, JournalProto.TaskChanged from) {
        return new Event.TaskChanged(
                at,
                RunCodec.decode(from.getAttempt()),
                from.getRank(),
                RunCodec.decode(from.getState()));
    }

    static JournalProto.TaskIdle encode(Event.TaskIdle e) {
        var to =
                JournalProto.TaskIdle.newBuilder()
                        .setAttempt(RunCodec.encode(e.attempt()))
                        .setRank(e.rank());
        if (e.since() != null) {
            to.setSinceMicros(TimeCodec.micros(e.since()));
        }
        return to.build();
    }

    static Event decode(Instant at, JournalProto.TaskIdle from) {
        return new Event.TaskIdle(
                at,
                RunCodec.decode(from.getAttempt()),
                from.getRank(),
                from.hasSinceMicros() ? TimeCodec.instant(from.getSinceMicros()) : null);
    }

    static JournalProto.AttemptRunning encode(Event.AttemptRunning e) {
        return JournalProto.AttemptRunning.newBuilder()
                .setAttempt(RunCodec.encode(e.attempt()))
                .build();
    }

    static Event decode(Instant at, JournalProto.AttemptRunning from) {
        return new Event.AttemptRunning(at, RunCodec.decode(from.getAttempt()));
    }

    static JournalProto.AttemptStopping encode(Event.AttemptStopping e) {
        return JournalProto.AttemptStopping.newBuilder()
                .setAttempt(RunCodec.encode(e.attempt()))
                .setCause(RunCodec.encode(e.cause()))
                .build();
    }

    static Event decode(Instant at, JournalProto.AttemptStopping from) {
        return new Event.AttemptStopping(
                at, RunCodec.decode(from.getAttempt()), RunCodec.decode(from.getCause()));
    }

    static JournalProto.StartRefused encode(Event.StartRefused e) {
        var to =
                JournalProto.StartRefused.newBuilder()
                        .setAttempt(RunCodec.encode(e.attempt()))
                        .setNode(e.node().name())
                        .setReason(e.reason());
        if (e.avoidUntil() != null) {
            to.setAvoidUntilMicros(TimeCodec.micros(e.avoidUntil()));
        }
        return to.build();
    }

    Event decode(Instant at, JournalProto.StartRefused from) {
        return new Event.StartRefused(
                at,
                RunCodec.decode(from.getAttempt()),
                nameInterner.node(from.getNode()),
                from.getReason(),
                from.hasAvoidUntilMicros() ? TimeCodec.instant(from.getAvoidUntilMicros()) : null);
    }

    static JournalProto.RefusalConfirmed encode(Event.RefusalConfirmed e) {
        return JournalProto.RefusalConfirmed.newBuilder()
                .setJob(e.job().number())
                .setNode(e.node().name())
                .build();
    }

    Event decode(Instant at, JournalProto.RefusalConfirmed from) {
        return new Event.RefusalConfirmed(
                at, new JobId(from.getJob()), nameInterner.node(from.getNode()));
    }

    static JournalProto.AvoidanceEnded encode(Event.AvoidanceEnded e) {
        return JournalProto.AvoidanceEnded.newBuilder()
                .setJob(e.job().number())
                .setNode(e.node().name())
                .build();
    }

    Event decode(Instant at, JournalProto.AvoidanceEnded from) {
        return new Event.AvoidanceEnded(
                at, new JobId(from.getJob()), nameInterner.node(from.getNode()));
    }

    JournalProto.ClaimMade encode(Event.ClaimMade e) {
        return JournalProto.ClaimMade.newBuilder().setClaim(places.encode(e.claim())).build();
    }

    Event decode(Instant at, JournalProto.ClaimMade from) {
        return new Event.ClaimMade(at, places.decode(from.getClaim()));
    }

    static JournalProto.ClaimDropped encode(Event.ClaimDropped e) {
        return JournalProto.ClaimDropped.newBuilder()
                .setClaim(e.claim().number())
                .setReason(e.reason())
                .build();
    }

    static Event decode(Instant at, JournalProto.ClaimDropped from) {
        return new Event.ClaimDropped(at, new ClaimId(from.getClaim()), from.getReason());
    }
}

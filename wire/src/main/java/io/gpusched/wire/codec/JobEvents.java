package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Phase;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;

/// Converts events of jobs.
final class JobEvents {
    private final NameInterner nameInterner;
    private final SpecCodec specs;

    /// Immutable, so threads may race for it.
    private Phase.Waiting newest = Phase.Waiting.fromSubmission(Instant.EPOCH);

    JobEvents(NameInterner nameInterner, SpecCodec specs) {
        this.nameInterner = nameInterner;
        this.specs = specs;
    }

    JournalProto.JobSubmitted encode(Event.JobSubmitted e) {
        return JournalProto.JobSubmitted.newBuilder()
                .setJob(e.job().number())
                .setSpec(specs.encode(e.spec()))
                .setKey(e.key())
                .setFingerprint(e.fingerprint())
                .setHeld(e.held())
                .setBy(e.by())
                .build();
    }

    Event decode(Instant at, JournalProto.JobSubmitted from) {
        var id = new JobId(from.getJob());
        JobSpec spec = specs.decode(from.getSpec());
        return new Event.JobSubmitted(
                from.getHeld()
                        ? Job.submittedHeld(id, spec, at)
                        : Job.submitted(id, spec, waiting(at)),
                from.getKey(),
                from.getFingerprint(),
                nameInterner.text(from.getBy()));
    }

    /// Jobs that were submitted at one instant, mostly a whole batch, share their phase.
    private Phase.Waiting waiting(Instant at) {
        Phase.Waiting last = newest;
        if (!last.since().equals(at)) {
            last = Phase.Waiting.fromSubmission(at);
            newest = last;
        }
        return last;
    }

    static JournalProto.JobUpdated encode(Event.JobUpdated e) {
        return JournalProto.JobUpdated.newBuilder()
                .setJob(e.job().number())
                .setPriority(e.priority())
                .setBy(e.by())
                .build();
    }

    Event decode(Instant at, JournalProto.JobUpdated from) {
        return new Event.JobUpdated(
                at, new JobId(from.getJob()), from.getPriority(), nameInterner.text(from.getBy()));
    }

    static JournalProto.JobHeld encode(Event.JobHeld e) {
        return JournalProto.JobHeld.newBuilder().setJob(e.job().number()).setWhy(e.why()).build();
    }

    static Event decode(Instant at, JournalProto.JobHeld from) {
        return new Event.JobHeld(at, new JobId(from.getJob()), from.getWhy());
    }

    static JournalProto.JobReleased encode(Event.JobReleased e) {
        return JournalProto.JobReleased.newBuilder().setJob(e.job().number()).setBy(e.by()).build();
    }

    Event decode(Instant at, JournalProto.JobReleased from) {
        return new Event.JobReleased(at, new JobId(from.getJob()), nameInterner.text(from.getBy()));
    }

    static JournalProto.JobRequeued encode(Event.JobRequeued e) {
        var to =
                JournalProto.JobRequeued.newBuilder()
                        .setJob(e.job().number())
                        .setLost(e.lost())
                        .setDrained(e.drained())
                        .setMoved(e.moved())
                        .setWithdrawn(e.withdrawn())
                        .setForgiven(e.forgiven())
                        .setReason(e.reason());
        if (e.notBefore() != null) {
            to.setNotBeforeMicros(TimeCodec.micros(e.notBefore()));
        }
        return to.build();
    }

    Event decode(Instant at, JournalProto.JobRequeued from) {
        return new Event.JobRequeued(
                at,
                new JobId(from.getJob()),
                from.hasNotBeforeMicros() ? TimeCodec.instant(from.getNotBeforeMicros()) : null,
                from.getLost(),
                from.getDrained(),
                from.getMoved(),
                from.getWithdrawn(),
                from.getForgiven(),
                nameInterner.text(from.getReason()));
    }

    static JournalProto.JobEnded encode(Event.JobEnded e) {
        return JournalProto.JobEnded.newBuilder()
                .setJob(e.job().number())
                .setOutcome(RunCodec.encode(e.outcome()))
                .build();
    }

    static Event decode(Instant at, JournalProto.JobEnded from) {
        return new Event.JobEnded(at, new JobId(from.getJob()), RunCodec.decode(from.getOutcome()));
    }
}

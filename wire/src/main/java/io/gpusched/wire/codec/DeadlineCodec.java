package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.spot.SpotHistory;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.wire.proto.ImageProto;
import io.gpusched.wire.proto.JournalProto;
import io.gpusched.wire.proto.ModelProto;

import java.time.Instant;

/// Converts deadlines of jobs, the choices that follow from them, and what was seen of spot
/// capacity.
final class DeadlineCodec {
    private DeadlineCodec() {}

    /// Writes the event, if it is about the capacity of jobs with deadlines.
    static void encode(Event event, JournalProto.Event.Builder to) {
        switch (event) {
            case Event.CapacityChosen e -> to.setCapacityChosen(encode(e));
            case Event.SpotSeen e -> to.setSpotSeen(encode(e));
            default -> {}
        }
    }

    static ModelProto.Deadline encode(JobDeadline deadline) {
        var to =
                ModelProto.Deadline.newBuilder()
                        .setWithinNanos(TimeCodec.nanos(deadline.within()))
                        .setWorkNanos(TimeCodec.nanos(deadline.work()))
                        .setRestartNanos(TimeCodec.nanos(deadline.restart()));
        Instant at = deadline.at();
        if (at != null) {
            to.setAtMicros(TimeCodec.micros(at));
        }
        return to.build();
    }

    static JobDeadline decode(ModelProto.Deadline from) {
        return new JobDeadline(
                from.hasAtMicros() ? TimeCodec.instant(from.getAtMicros()) : null,
                TimeCodec.duration(from.getWithinNanos()),
                TimeCodec.duration(from.getWorkNanos()),
                TimeCodec.duration(from.getRestartNanos()));
    }

    static ModelProto.CapacityRule encode(CapacityRule rule) {
        var to = ModelProto.CapacityRule.newBuilder();
        to.setKind(
                switch (rule.kind()) {
                    case ANY -> ModelProto.CapacityRule.Kind.ANY;
                    case SPOT -> ModelProto.CapacityRule.Kind.SPOT;
                    case ON_DEMAND -> ModelProto.CapacityRule.Kind.ON_DEMAND;
                    case NONE -> ModelProto.CapacityRule.Kind.NONE;
                });
        rule.spot().forEach(one -> to.addSpotBuilder().setLabel(one.label()).setValue(one.value()));
        return to.build();
    }

    static CapacityRule decode(ModelProto.CapacityRule from) {
        return new CapacityRule(
                switch (from.getKind()) {
                    case ANY -> CapacityRule.Kind.ANY;
                    case SPOT -> CapacityRule.Kind.SPOT;
                    case ON_DEMAND -> CapacityRule.Kind.ON_DEMAND;
                    case NONE -> CapacityRule.Kind.NONE;
                    case UNRECOGNIZED ->
                            throw UnreadableException.unknown("capacity", from.getKindValue());
                },
                from.getSpotList().stream()
                        .map(one -> new CapacityRule.SpotLabel(one.getLabel(), one.getValue()))
                        .toList());
    }

    private static ModelProto.CapacityChoice encode(CapacityChoice choice) {
        return ModelProto.CapacityChoice.newBuilder()
                .setWhere(
                        switch (choice.choice()) {
                            case WAIT -> ModelProto.CapacityChoice.Where.WAIT;
                            case SPOT -> ModelProto.CapacityChoice.Where.SPOT;
                            case ON_DEMAND -> ModelProto.CapacityChoice.Where.ON_DEMAND;
                        })
                .setReason(choice.reason())
                .setSlackMillis(choice.slackMillis())
                .setSpotMicroDollars(choice.spotMicroDollars())
                .setWaitMicroDollars(choice.waitMicroDollars())
                .setOnDemandMicroDollars(choice.onDemandMicroDollars())
                .build();
    }

    private static CapacityChoice decode(ModelProto.CapacityChoice from) {
        return new CapacityChoice(
                switch (from.getWhere()) {
                    case WAIT -> SpotChoice.WAIT;
                    case SPOT -> SpotChoice.SPOT;
                    case ON_DEMAND -> SpotChoice.ON_DEMAND;
                    case UNSPECIFIED, UNRECOGNIZED ->
                            throw UnreadableException.unknown("choice", from.getWhereValue());
                },
                from.getReason(),
                from.getSlackMillis(),
                from.getSpotMicroDollars(),
                from.getWaitMicroDollars(),
                from.getOnDemandMicroDollars());
    }

    private static JournalProto.CapacityChosen encode(Event.CapacityChosen e) {
        return JournalProto.CapacityChosen.newBuilder()
                .setJob(e.job().number())
                .setRule(encode(e.rule()))
                .setChoice(encode(e.choice()))
                .build();
    }

    static Event decode(Instant at, JournalProto.CapacityChosen from) {
        return new Event.CapacityChosen(
                at, new JobId(from.getJob()), decode(from.getRule()), decode(from.getChoice()));
    }

    private static JournalProto.SpotSeen encode(Event.SpotSeen e) {
        return JournalProto.SpotSeen.newBuilder()
                .setNeed(e.need())
                .setAvailable(e.available())
                .build();
    }

    static Event decode(Instant at, JournalProto.SpotSeen from) {
        return new Event.SpotSeen(at, from.getNeed(), from.getAvailable());
    }

    static ImageProto.DeadlineJob encode(DeadlineLedger.Entry entry) {
        var to =
                ImageProto.DeadlineJob.newBuilder()
                        .setJob(entry.job().number())
                        .setNeed(entry.need())
                        .setDoneMillis(entry.doneMillis());
        CapacityChoice choice = entry.choice();
        if (choice != null) {
            to.setChoice(encode(choice));
        }
        return to.build();
    }

    static DeadlineLedger.Entry decode(ImageProto.DeadlineJob from) {
        return new DeadlineLedger.Entry(
                new JobId(from.getJob()),
                from.getNeed(),
                from.getDoneMillis(),
                from.hasChoice() ? decode(from.getChoice()) : null);
    }

    static ImageProto.SpotMarket encode(DeadlineLedger.Seen seen) {
        SpotHistory history = seen.history();
        return ImageProto.SpotMarket.newBuilder()
                .setNeed(seen.need())
                .setAvailable(history.available())
                .setSinceMillis(history.since())
                .setOutages(encode(history.outages()))
                .setSupplies(encode(history.supplies()))
                .setWatched(seen.watched())
                .build();
    }

    private static ImageProto.SpotMarket.Seen encode(SpotHistory.Seen counts) {
        return ImageProto.SpotMarket.Seen.newBuilder()
                .setEnded(counts.ended())
                .setExpected(counts.expected())
                .build();
    }

    static DeadlineLedger.Seen decode(ImageProto.SpotMarket from) {
        var history =
                new SpotHistory(
                        from.getAvailable(),
                        from.getSinceMillis(),
                        decode(from.getOutages()),
                        decode(from.getSupplies()));
        return new DeadlineLedger.Seen(from.getNeed(), history, from.getWatched());
    }

    private static SpotHistory.Seen decode(ImageProto.SpotMarket.Seen from) {
        return new SpotHistory.Seen(from.getEnded(), from.getExpected());
    }
}

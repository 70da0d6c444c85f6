package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;
import io.gpusched.wire.proto.ImageProto;
import io.gpusched.wire.proto.JournalProto;
import io.gpusched.wire.proto.ModelProto;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Converts learned run times, in events and in snapshots.
final class LearnedCodec {
    private static final int ROWS_PER_PART = 1 << 10;

    private LearnedCodec() {}

    /// Writes the event, if it is about what is learned.
    static void encode(Event event, JournalProto.Event.Builder to) {
        switch (event) {
            case Event.Observed e -> to.setObserved(encode(e));
            case Event.Scored e -> to.setScored(encode(e));
            case Event.RetentionChanged e -> to.setRetentionChanged(encode(e));
            case Event.Imported e -> to.setImported(encode(e));
            default -> {}
        }
    }

    /// Reads an event about what is learned.
    static Event decode(Instant at, JournalProto.Event from) {
        if (from.hasObserved()) {
            return decode(at, from.getObserved());
        }
        if (from.hasScored()) {
            return decode(at, from.getScored());
        }
        return from.hasRetentionChanged()
                ? decode(at, from.getRetentionChanged())
                : decode(at, from.getImported());
    }

    private static JournalProto.Observed encode(Event.Observed e) {
        var to =
                JournalProto.Observed.newBuilder()
                        .setKind(e.kind())
                        .setGpuModel(e.gpuModel())
                        .setRanNanos(TimeCodec.nanos(e.ran()))
                        .addAllNeighbours(e.neighbours());
        if (!e.features().equals(Features.NONE)) {
            to.setFeatures(
                    JournalProto.Features.newBuilder()
                            .setGpus(e.features().gpus())
                            .setMemoryGb(e.features().memoryGb())
                            .setMillionParameters(e.features().millionParameters())
                            .setBatchSize(e.features().batchSize()));
        }
        return to.build();
    }

    private static Event decode(Instant at, JournalProto.Observed from) {
        var features = from.getFeatures();
        return new Event.Observed(
                at,
                from.getKind(),
                from.getGpuModel(),
                TimeCodec.duration(from.getRanNanos()),
                from.getNeighboursList(),
                new Features(
                        features.getGpus(),
                        features.getMemoryGb(),
                        features.getMillionParameters(),
                        features.getBatchSize()));
    }

    private static JournalProto.Scored encode(Event.Scored e) {
        return JournalProto.Scored.newBuilder()
                .setTotal(e.total())
                .setExplored(e.explored())
                .setReserved(e.reserved())
                .build();
    }

    private static Event decode(Instant at, JournalProto.Scored from) {
        return new Event.Scored(at, from.getTotal(), from.getExplored(), from.getReserved());
    }

    private static JournalProto.RetentionChanged encode(Event.RetentionChanged e) {
        return JournalProto.RetentionChanged.newBuilder().setPairs(e.pairs()).build();
    }

    private static Event decode(Instant at, JournalProto.RetentionChanged from) {
        return new Event.RetentionChanged(at, from.getPairs());
    }

    private static JournalProto.Imported encode(Event.Imported e) {
        var to = JournalProto.Imported.newBuilder().setBy(e.by());
        e.runtimes().forEach(pair -> to.addRuntimes(encode(pair)));
        e.slowdowns().forEach(slowdown -> to.addSlowdowns(encode(slowdown)));
        e.runs().forEach(runs -> to.addRuns(ImportCodec.encode(runs)));
        e.interference().forEach(pair -> to.addInterference(ImportCodec.encode(pair)));
        return to.build();
    }

    private static Event decode(Instant at, JournalProto.Imported from) {
        return new Event.Imported(
                at,
                from.getRuntimesList().stream().map(LearnedCodec::decode).toList(),
                from.getSlowdownsList().stream().map(LearnedCodec::decode).toList(),
                from.getRunsList().stream().map(ImportCodec::decode).toList(),
                from.getInterferenceList().stream().map(ImportCodec::decode).toList(),
                from.getBy());
    }

    /// Several messages that together hold the model; the first one has the counts.
    static List<ImageProto.Learned> parts(LearnerImage image) {
        var parts = new ArrayList<ImageProto.Learned>();
        parts.add(
                ImageProto.Learned.newBuilder()
                        .setRetention(image.retention())
                        .setTotal(image.explorationCounts().total())
                        .setExplored(image.explorationCounts().explored())
                        .setReserved(image.explorationCounts().reserved())
                        .build());
        for (int from = 0; from < image.pairs().size(); from += ROWS_PER_PART) {
            var part = ImageProto.Learned.newBuilder();
            image.pairs()
                    .subList(from, Math.min(from + ROWS_PER_PART, image.pairs().size()))
                    .forEach(pair -> part.addPairs(encode(pair)));
            parts.add(part.build());
        }
        for (int from = 0; from < image.slowdowns().size(); from += ROWS_PER_PART) {
            var part = ImageProto.Learned.newBuilder();
            image.slowdowns()
                    .subList(from, Math.min(from + ROWS_PER_PART, image.slowdowns().size()))
                    .forEach(slowdown -> part.addSlowdowns(encode(slowdown)));
            parts.add(part.build());
        }
        return parts;
    }

    /// Adds one more of the [#parts] to what was read so far.
    static LearnerImage with(LearnerImage before, ImageProto.Learned part) {
        boolean first = part.getPairsCount() == 0 && part.getSlowdownsCount() == 0;
        var pairs = new ArrayList<>(before.pairs());
        part.getPairsList().forEach(pair -> pairs.add(decode(pair)));
        var slowdowns = new ArrayList<>(before.slowdowns());
        part.getSlowdownsList().forEach(slowdown -> slowdowns.add(decode(slowdown)));
        return new LearnerImage(
                first ? part.getRetention() : before.retention(),
                first
                        ? new ExplorationCounts(
                                part.getTotal(), part.getExplored(), part.getReserved())
                        : before.explorationCounts(),
                pairs,
                slowdowns,
                before.model());
    }

    /// Adds one more part of the runtime model to what was read so far.
    static LearnerImage with(LearnerImage before, ImageProto.LearnedModel part) {
        return new LearnerImage(
                before.retention(),
                before.explorationCounts(),
                before.pairs(),
                before.slowdowns(),
                RuntimeModelCodec.with(before.model(), part));
    }

    private static ModelProto.LearnedRuntime encode(LearnedRuntime pair) {
        return ModelProto.LearnedRuntime.newBuilder()
                .setKind(pair.kind())
                .setGpuModel(pair.gpuModel())
                .setAlone(encode(pair.alone()))
                .setTogether(encode(pair.together()))
                .setAtMicros(TimeCodec.micros(pair.at()))
                .build();
    }

    private static LearnedRuntime decode(ModelProto.LearnedRuntime from) {
        return new LearnedRuntime(
                from.getKind(),
                from.getGpuModel(),
                decode(from.getAlone()),
                decode(from.getTogether()),
                TimeCodec.instant(from.getAtMicros()));
    }

    private static ModelProto.RunTimes encode(RuntimeAverages times) {
        return ModelProto.RunTimes.newBuilder()
                .setMean(times.mean())
                .setVariance(times.variance())
                .setCount(times.count())
                .build();
    }

    private static RuntimeAverages decode(ModelProto.RunTimes from) {
        return new RuntimeAverages(from.getMean(), from.getVariance(), from.getCount());
    }

    private static ModelProto.LearnedSlowdown encode(LearnedSlowdown slowdown) {
        return ModelProto.LearnedSlowdown.newBuilder()
                .setKind(slowdown.kind())
                .setNeighbour(slowdown.neighbour())
                .setPart(slowdown.part())
                .setCount(slowdown.count())
                .setAtMicros(TimeCodec.micros(slowdown.at()))
                .build();
    }

    private static LearnedSlowdown decode(ModelProto.LearnedSlowdown from) {
        return new LearnedSlowdown(
                from.getKind(),
                from.getNeighbour(),
                from.getPart(),
                from.getCount(),
                TimeCodec.instant(from.getAtMicros()));
    }
}

package io.gpusched.wire.codec;

import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.wire.proto.ModelProto;

/// Converts the import of another scheduler's runtime model.
final class ImportCodec {
    private ImportCodec() {}

    static ModelProto.LearnedRuns encode(LearnedRuns runs) {
        var to =
                ModelProto.LearnedRuns.newBuilder()
                        .setKind(runs.kind())
                        .setGpuModel(runs.gpuModel())
                        .setCount(runs.count())
                        .setAtMicros(TimeCodec.micros(runs.at()))
                        .setDrifts(runs.drift().changes())
                        .setDriftNoticedMicros(TimeCodec.micros(runs.drift().noticed()))
                        .setDriftSinceMicros(TimeCodec.micros(runs.drift().since()));
        for (LearnedRuns.One run : runs.runs()) {
            to.addRuns(
                    ModelProto.LearnedRun.newBuilder()
                            .setSeconds(run.seconds())
                            .setStartMicros(TimeCodec.micros(run.start()))
                            .setGpus(run.features().gpus())
                            .setMemoryGb(run.features().memoryGb())
                            .setMillionParameters(run.features().millionParameters())
                            .setBatchSize(run.features().batchSize()));
        }
        return to.build();
    }

    static LearnedRuns decode(ModelProto.LearnedRuns from) {
        return new LearnedRuns(
                from.getKind(),
                from.getGpuModel(),
                from.getCount(),
                TimeCodec.instant(from.getAtMicros()),
                new LearnedRuns.Drift(
                        from.getDrifts(),
                        TimeCodec.instant(from.getDriftNoticedMicros()),
                        TimeCodec.instant(from.getDriftSinceMicros())),
                from.getRunsList().stream().map(ImportCodec::decode).toList());
    }

    private static LearnedRuns.One decode(ModelProto.LearnedRun from) {
        return new LearnedRuns.One(
                from.getSeconds(),
                TimeCodec.instant(from.getStartMicros()),
                new Features(
                        from.getGpus(),
                        from.getMemoryGb(),
                        from.getMillionParameters(),
                        from.getBatchSize()));
    }

    static ModelProto.LearnedInterference encode(LearnedInterference pair) {
        return ModelProto.LearnedInterference.newBuilder()
                .setKind(pair.kind())
                .setNeighbour(pair.neighbour())
                .setGpuModel(pair.gpuModel())
                .setLater(pair.later())
                .setVariance(pair.variance())
                .setCount(pair.count())
                .build();
    }

    static LearnedInterference decode(ModelProto.LearnedInterference from) {
        return new LearnedInterference(
                from.getKind(),
                from.getNeighbour(),
                from.getGpuModel(),
                from.getLater(),
                from.getVariance(),
                from.getCount());
    }
}

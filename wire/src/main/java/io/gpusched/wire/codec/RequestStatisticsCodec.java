package io.gpusched.wire.codec;

import io.gpusched.core.state.StateImage;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.wire.proto.ImageProto;

import java.util.LinkedHashMap;
import java.util.List;

/// Converts statistics about requested resources, for snapshots.
final class RequestStatisticsCodec {
    private RequestStatisticsCodec() {}

    static ImageProto.Asked encode(StateImage.Asked asked) {
        var message =
                ImageProto.Asked.newBuilder()
                        .setPublishAt(asked.publishAt())
                        .setVersion(asked.typicalWorkload().version());
        asked.counts().forEach((need, count) -> message.addCounts(encode(need).setCount(count)));
        for (TypicalWorkload.Kind kind : asked.typicalWorkload().kinds()) {
            message.addTypical(encode(kind.need()).setPart(kind.part()));
        }
        for (TypicalWorkload.Kind kind : asked.typicalWorkload().all()) {
            message.addAll(encode(kind.need()).setPart(kind.part()));
        }
        return message.build();
    }

    static StateImage.Asked decode(ImageProto.Asked message) {
        var counts = new LinkedHashMap<TypicalWorkload.Need, Long>();
        message.getCountsList().forEach(one -> counts.put(decode(one), one.getCount()));
        return new StateImage.Asked(
                counts,
                message.getPublishAt(),
                new TypicalWorkload(
                        kinds(message.getTypicalList()),
                        kinds(message.getAllList()),
                        message.getVersion()));
    }

    private static List<TypicalWorkload.Kind> kinds(List<ImageProto.Counted> counted) {
        return counted.stream()
                .map(one -> new TypicalWorkload.Kind(decode(one), one.getPart()))
                .toList();
    }

    private static ImageProto.Counted.Builder encode(TypicalWorkload.Need need) {
        var message =
                ImageProto.Counted.newBuilder()
                        .setMilliCpu(need.milliCpu())
                        .setGpus(need.gpus())
                        .setMilli(need.milli());
        need.models().forEach(model -> message.addModels(DemandCodec.encode(model)));
        return message;
    }

    private static TypicalWorkload.Need decode(ImageProto.Counted message) {
        return new TypicalWorkload.Need(
                message.getMilliCpu(),
                message.getGpus(),
                message.getMilli(),
                message.getModelsList().stream().map(DemandCodec::decode).toList());
    }
}

package io.gpusched.wire.codec;

import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.model.Features;
import io.gpusched.wire.proto.ImageProto.LearnedModel;

import java.util.ArrayList;
import java.util.List;

/// Converts the runtime model of a snapshot.
final class RuntimeModelCodec {
    private static final int PASTS_PER_PART = 64;

    private RuntimeModelCodec() {}

    /// Several messages that together hold the model; the first one has everything except the run
    /// histories.
    static List<LearnedModel> parts(ModelImage image) {
        var parts = new ArrayList<LearnedModel>();
        parts.add(first(image));
        for (int from = 0; from < image.pasts().size(); from += PASTS_PER_PART) {
            var part = LearnedModel.newBuilder();
            image.pasts()
                    .subList(from, Math.min(from + PASTS_PER_PART, image.pasts().size()))
                    .forEach(past -> part.addPasts(encode(past)));
            parts.add(part.build());
        }
        return parts;
    }

    /// Adds one more of the [#parts] to what was read so far.
    static ModelImage with(ModelImage before, LearnedModel part) {
        if (part.getPastsCount() == 0) {
            return decode(part);
        }
        var pasts = new ArrayList<>(before.pasts());
        part.getPastsList().forEach(past -> pasts.add(decode(past)));
        return new ModelImage(
                before.version(),
                pasts,
                before.slopes(),
                before.going(),
                before.families(),
                before.all(),
                before.within(),
                before.between(),
                before.speeds(),
                before.pairs(),
                before.calibrations(),
                before.lost(),
                before.score());
    }

    private static LearnedModel first(ModelImage image) {
        var to =
                LearnedModel.newBuilder()
                        .setVersion(image.version())
                        .addAllAll(image.all())
                        .addAllWithin(image.within())
                        .addAllBetween(image.between())
                        .addAllLost(image.lost())
                        .setForecasts(image.score().forecasts())
                        .setInside(image.score().inside())
                        .setRecent(image.score().recent())
                        .setNoise(image.score().noise());
        image.slopes().forEach(named -> to.addSlopes(row(named.name(), named.row())));
        image.families().forEach(named -> to.addFamilies(row(named.name(), named.row())));
        image.calibrations().forEach(row -> to.addCalibrations(row("", row.numbers())));
        image.going().forEach(going -> to.addGoing(encode(going)));
        for (ModelImage.Speed speed : image.speeds()) {
            to.addSpeeds(
                    LearnedModel.Pair.newBuilder()
                            .setGpu(speed.gpu())
                            .setLater(speed.later())
                            .setVariance(speed.variance()));
        }
        for (ModelImage.Pair pair : image.pairs()) {
            to.addPairs(
                    LearnedModel.Pair.newBuilder()
                            .setKind(pair.kind())
                            .setNeighbour(pair.neighbour())
                            .setGpu(pair.gpu())
                            .setLater(pair.later())
                            .setVariance(pair.variance())
                            .setRuns(pair.runs()));
        }
        return to.build();
    }

    private static ModelImage decode(LearnedModel from) {
        return new ModelImage(
                from.getVersion(),
                List.of(),
                from.getSlopesList().stream().map(RuntimeModelCodec::named).toList(),
                from.getGoingList().stream().map(RuntimeModelCodec::decode).toList(),
                from.getFamiliesList().stream().map(RuntimeModelCodec::named).toList(),
                from.getAllList(),
                from.getWithinList(),
                from.getBetweenList(),
                from.getSpeedsList().stream()
                        .map(
                                speed ->
                                        new ModelImage.Speed(
                                                speed.getGpu(),
                                                speed.getLater(),
                                                speed.getVariance()))
                        .toList(),
                from.getPairsList().stream()
                        .map(
                                pair ->
                                        new ModelImage.Pair(
                                                pair.getKind(),
                                                pair.getNeighbour(),
                                                pair.getGpu(),
                                                pair.getLater(),
                                                pair.getVariance(),
                                                pair.getRuns()))
                        .toList(),
                from.getCalibrationsList().stream()
                        .map(row -> new ModelImage.Row(row.getNumbersList()))
                        .toList(),
                from.getLostList(),
                new ModelImage.Score(
                        from.getForecasts(), from.getInside(), from.getRecent(), from.getNoise()));
    }

    private static LearnedModel.Row row(String name, List<Double> numbers) {
        return LearnedModel.Row.newBuilder().setName(name).addAllNumbers(numbers).build();
    }

    private static ModelImage.Named named(LearnedModel.Row row) {
        return new ModelImage.Named(row.getName(), row.getNumbersList());
    }

    private static LearnedModel.Past encode(ModelImage.Past past) {
        var to =
                LearnedModel.Past.newBuilder()
                        .setKind(past.kind())
                        .setGpu(past.gpu())
                        .setCount(past.count())
                        .setChanged(past.changed())
                        .setExamined(past.examined())
                        .setBorrowed(past.borrowed())
                        .addAllLost(past.lost())
                        .setUp(past.drift().up())
                        .setDown(past.drift().down())
                        .setUpSince(past.drift().upSince())
                        .setDownSince(past.drift().downSince())
                        .setSince(past.drift().since())
                        .setChanges(past.drift().changes())
                        .setLastNoticed(past.drift().lastNoticed());
        for (ModelImage.Run run : past.runs()) {
            to.addRuns(
                    LearnedModel.Run.newBuilder()
                            .setLog(run.log())
                            .setStart(run.start())
                            .setGpus(run.gpus())
                            .setMemory(run.memory())
                            .setParameters(run.parameters())
                            .setBatch(run.batch()));
        }
        return to.build();
    }

    private static ModelImage.Past decode(LearnedModel.Past from) {
        return new ModelImage.Past(
                from.getKind(),
                from.getGpu(),
                from.getRunsList().stream()
                        .map(
                                run ->
                                        new ModelImage.Run(
                                                run.getLog(),
                                                run.getStart(),
                                                run.getGpus(),
                                                run.getMemory(),
                                                run.getParameters(),
                                                run.getBatch()))
                        .toList(),
                from.getCount(),
                from.getChanged(),
                from.getExamined(),
                from.getBorrowed(),
                from.getLostList(),
                new ModelImage.Drifting(
                        from.getUp(),
                        from.getDown(),
                        from.getUpSince(),
                        from.getDownSince(),
                        from.getSince(),
                        from.getChanges(),
                        from.getLastNoticed()));
    }

    private static LearnedModel.Going encode(ModelImage.Going going) {
        return LearnedModel.Going.newBuilder()
                .setJob(going.job())
                .setKind(going.kind())
                .setGpu(going.gpu())
                .setGpus(going.features().gpus())
                .setMemoryGb(going.features().memoryGb())
                .setMillionParameters(going.features().millionParameters())
                .setBatchSize(going.features().batchSize())
                .addAllNeighbours(going.neighbours())
                .setStart(going.start())
                .setLevel(going.level())
                .addAllForecast(going.forecast())
                .build();
    }

    private static ModelImage.Going decode(LearnedModel.Going from) {
        return new ModelImage.Going(
                from.getJob(),
                from.getKind(),
                from.getGpu(),
                new Features(
                        from.getGpus(),
                        from.getMemoryGb(),
                        from.getMillionParameters(),
                        from.getBatchSize()),
                from.getNeighboursList(),
                from.getStart(),
                from.getLevel(),
                from.getForecastList());
    }
}

package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.wire.proto.JournalProto;
import io.gpusched.wire.proto.ModelProto;

import java.time.Duration;
import java.time.Instant;

/// Converts forecasts of carbon intensity, and what jobs say about clean power.
final class CarbonCodec {
    private CarbonCodec() {}

    /// Writes the event, if it is about forecasts or prices.
    static void encode(Event event, JournalProto.Event.Builder to) {
        switch (event) {
            case Event.ForecastPut e -> to.setForecastPut(encode(e));
            case Event.ForecastRemoved e -> to.setForecastRemoved(encode(e));
            case Event.MarketChanged e -> to.setMarketChanged(TenantEvents.encode(e));
            default -> {}
        }
    }

    /// Reads an event about forecasts or prices.
    static Event decode(Instant at, JournalProto.Event from) {
        if (from.hasForecastPut()) {
            return decode(at, from.getForecastPut());
        }
        return from.hasForecastRemoved()
                ? decode(at, from.getForecastRemoved())
                : TenantEvents.decode(at, from.getMarketChanged());
    }

    static ModelProto.Forecast encode(RegionForecast forecast) {
        return ModelProto.Forecast.newBuilder()
                .setRegion(forecast.region())
                .setFromMicros(TimeCodec.micros(forecast.from()))
                .setSlotNanos(TimeCodec.nanos(forecast.slot()))
                .addAllGrams(forecast.grams())
                .build();
    }

    static RegionForecast decode(ModelProto.Forecast from) {
        return new RegionForecast(
                from.getRegion(),
                TimeCodec.instant(from.getFromMicros()),
                TimeCodec.duration(from.getSlotNanos()),
                from.getGramsList());
    }

    private static JournalProto.ForecastPut encode(Event.ForecastPut e) {
        return JournalProto.ForecastPut.newBuilder()
                .setForecast(encode(e.forecast()))
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.ForecastPut from) {
        return new Event.ForecastPut(at, decode(from.getForecast()), from.getBy());
    }

    private static JournalProto.ForecastRemoved encode(Event.ForecastRemoved e) {
        return JournalProto.ForecastRemoved.newBuilder()
                .setRegion(e.region())
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.ForecastRemoved from) {
        return new Event.ForecastRemoved(at, from.getRegion(), from.getBy());
    }

    static ModelProto.Carbon encode(CarbonPreference carbon) {
        var message =
                ModelProto.Carbon.newBuilder()
                        .setMaxGramsPerKwh(carbon.maxGramsPerKwh())
                        .addAllRegions(carbon.regions());
        Duration slack = carbon.slack();
        if (slack != null) {
            message.setSlackNanos(TimeCodec.nanos(slack));
        }
        if (carbon.upToPriority() != CarbonPreference.NONE.upToPriority()) {
            message.setUpToPriority(carbon.upToPriority());
        }
        return message.build();
    }

    static CarbonPreference decode(ModelProto.Carbon from) {
        return new CarbonPreference(
                from.hasSlackNanos() ? TimeCodec.duration(from.getSlackNanos()) : null,
                from.getMaxGramsPerKwh(),
                from.getRegionsList(),
                from.hasUpToPriority()
                        ? from.getUpToPriority()
                        : CarbonPreference.NONE.upToPriority());
    }
}

package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.wire.request.ForecastRequest;
import io.gpusched.wire.request.Parsed;

import java.util.List;

/// `/api/v1/carbon`: forecasts of the carbon intensity of power, by region.
final class CarbonHandlers {
    private final HandlerContext context;

    CarbonHandlers(HandlerContext context) {
        this.context = context;
    }

    Response list(Request request) {
        List<RegionForecast> all = all();
        var out = new JsonOutput(1 << 12).object().name("forecasts").array();
        for (RegionForecast forecast : request.page(all)) {
            write(forecast, out.object());
            out.endObject();
        }
        return Response.ok(out.endArray().field("total", all.size()).endObject());
    }

    private List<RegionForecast> all() {
        return context.follower.ask(engine -> engine.state().carbon().all());
    }

    Response show(Request request) {
        String region = request.path("region");
        for (RegionForecast forecast : all()) {
            if (forecast.region().equals(region)) {
                var out = new JsonOutput(1 << 12).object();
                write(forecast, out);
                return Response.ok(out.endObject());
            }
        }
        throw HttpError.unknown("forecast", region, "/api/v1/carbon");
    }

    Response put(Request request) {
        var body = context.bodies.object(request);
        return switch (ForecastRequest.read(body, request.path("region"))) {
            case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
            case Parsed.Valid(var forecast, var warnings) -> {
                context.sender.run(new Command.PutForecast(forecast, request.caller().label()));
                var out = new JsonOutput(1 << 12).object();
                write(forecast, out);
                RequestBodies.warnings(warnings, out);
                yield Response.ok(out.endObject());
            }
        };
    }

    Response remove(Request request) {
        String region = request.path("region");
        context.sender.run(new Command.RemoveForecast(region, request.caller().label()));
        return Response.message("Forecast of " + region + " removed");
    }

    private void write(RegionForecast forecast, JsonOutput out) {
        Integer now = forecast.at(context.clock.instant());
        out.field("region", forecast.region()).field("from", forecast.from().toString());
        out.field("until", forecast.end().toString());
        out.field("slot_minutes", forecast.slot().toMinutes());
        if (now != null) {
            out.field("now", now.longValue());
        }
        out.name("grams").array();
        forecast.grams().forEach(grams -> out.value(grams));
        out.endArray();
    }
}

package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Market;
import io.gpusched.server.cell.Follower;
import io.gpusched.wire.request.MarketRequest;
import io.gpusched.wire.request.Parsed;

import java.util.List;

/// `/api/v1/markets`: prices of capacity, by labels of nodes.
final class MarketHandlers {
    private final Follower follower;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;

    MarketHandlers(Follower follower, RequestBodies requestBodies, CommandSender commandSender) {
        this.follower = follower;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
    }

    Response list(Request request) {
        List<Market> all = follower.ask(engine -> engine.state().nodePrices().all());
        var out = new JsonOutput(1 << 10).object().name("markets").array();
        all.forEach(market -> write(market, out));
        return Response.ok(out.endArray().field("total", all.size()).endObject());
    }

    Response put(Request request) {
        return switch (MarketRequest.read(requestBodies.object(request))) {
            case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
            case Parsed.Valid(var market, _) -> {
                commandSender.run(new Command.SetMarket(market, request.caller().label()));
                var out = new JsonOutput(1 << 8);
                write(market, out);
                yield Response.ok(out);
            }
        };
    }

    private static void write(Market market, JsonOutput out) {
        out.object().field("label", market.label()).field("value", market.value());
        out.field("dollars_per_gpu_hour", market.microDollarsPerGpuHour() / 1e6);
        out.field("spot", market.spot()).field("grams_per_kwh", market.gramsPerKwh()).endObject();
    }
}

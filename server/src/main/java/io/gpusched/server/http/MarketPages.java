package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Market;
import io.gpusched.server.cell.Follower;
import io.gpusched.wire.request.MarketRequest;

import java.util.List;

/// `/api/v1/markets`: what capacity costs, by labels of nodes.
final class MarketPages {
    private final Follower follower;
    private final Bodies bodies;
    private final Commands commands;

    MarketPages(Follower follower, Bodies bodies, Commands commands) {
        this.follower = follower;
        this.bodies = bodies;
        this.commands = commands;
    }

    Reply list(Asked asked) {
        List<Market> all = follower.ask(engine -> engine.state().markets());
        var out = new JsonOut(1 << 10).object().name("markets").array();
        all.forEach(market -> write(market, out));
        return Reply.ok(out.endArray().field("total", all.size()).endObject());
    }

    Reply put(Asked asked) {
        return switch (MarketRequest.read(bodies.object(asked))) {
            case MarketRequest.Result.Invalid invalid -> throw Fault.of(invalid.problems());
            case MarketRequest.Result.Valid valid -> {
                commands.run(new Command.SetMarket(valid.market(), asked.caller().label()));
                var out = new JsonOut(1 << 8);
                write(valid.market(), out);
                yield Reply.ok(out);
            }
        };
    }

    private static void write(Market market, JsonOut out) {
        out.object().field("label", market.label()).field("value", market.value());
        out.field("dollars_per_gpu_hour", market.microDollarsPerGpuHour() / 1e6);
        out.field("spot", market.spot()).field("grams_per_kwh", market.gramsPerKwh()).endObject();
    }
}

package io.gpusched.server.http;

import io.gpusched.core.pool.PoolId;
import io.gpusched.server.whatif.ScalerShadow;
import io.gpusched.sim.scaling.ScalerWhatIfResult;
import io.gpusched.sim.scaling.ScalerWhatIfText;
import io.gpusched.sim.whatif.InvalidWhatIf;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// `GET /api/v1/pools/{name}/shadow`: what other scaling laws would have done with the pool's
/// recent load.
final class PoolShadowHandler {
    private static final int MOST_LAWS = 5;
    private static final int MOST_HOURS = 24;

    private final HandlerContext context;
    private final ScalerShadow shadow;
    private final InstantSource clock;

    PoolShadowHandler(HandlerContext context, ScalerShadow shadow) {
        this.context = context;
        this.shadow = shadow;
        this.clock = context.clock;
    }

    Response show(Request request) {
        request.onlyParameters("law", "hours");
        PoolId pool =
                PoolHandlers.row(context.views.get(), request.path("name"), request.caller())
                        .pool()
                        .id();
        List<String> laws = laws(request);
        long hours = request.number("hours", 1, 1, MOST_HOURS);
        try {
            ScalerWhatIfResult result =
                    shadow.ask(pool, laws, clock.instant().minus(Duration.ofHours(hours)));
            return new Response.Complete(
                    200,
                    Response.JSON,
                    ScalerWhatIfText.json(result).getBytes(StandardCharsets.UTF_8),
                    Map.of());
        } catch (InvalidWhatIf e) {
            throw HttpError.invalid(
                    "hours",
                    String.valueOf(e.getMessage()),
                    "ask again when the pool has served longer, or for more hours");
        } catch (ScalerShadow.Busy e) {
            throw HttpError.busy(
                    String.valueOf(e.getMessage()), "retry when the other one is done");
        } catch (ScalerShadow.TooMuch e) {
            throw HttpError.notReady(
                    String.valueOf(e.getMessage()),
                    "ask for fewer hours or fewer laws, or run bin/lab what-if --pool on another"
                            + " machine");
        }
    }

    private List<String> laws(Request request) {
        List<String> laws = List.of(request.list("law").split(",", -1));
        if (laws.size() > MOST_LAWS) {
            throw HttpError.invalid(
                    "law",
                    "expected at most %d laws, found %d".formatted(MOST_LAWS, laws.size()),
                    "ask for fewer");
        }
        for (String law : laws) {
            if (law.isEmpty()) {
                throw HttpError.invalid(
                        "law", "expected a law to try, found none", "name one, such as law=hpa-20");
            }
            try {
                shadow.check(law);
            } catch (InvalidWhatIf e) {
                throw HttpError.invalid("law", String.valueOf(e.getMessage()), "");
            }
        }
        return laws;
    }
}

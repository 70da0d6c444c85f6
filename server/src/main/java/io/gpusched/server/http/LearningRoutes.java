package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;

import java.util.List;

/// Routes for the learned runtime model: scores, observations, and the model itself.
public final class LearningRoutes {
    private LearningRoutes() {}

    public static List<Route> of(
            HandlerContext context, ScoreService service, ModelCopies modelCopies) {
        var scores = new ScoreHandlers(service, context.bodies, context.sender);
        var model =
                new ModelHandlers(
                        context.follower, modelCopies, service, context.bodies, context.sender);
        return List.of(
                new Route("GET", "/api/v1/model", ADMIN, model::show),
                new Route("POST", "/api/v1/model", ADMIN, model::take),
                new Route("POST", "/v1/score", MEMBERS, scores::score),
                new Route("POST", "/v1/observe", ADMIN, scores::observe));
    }
}

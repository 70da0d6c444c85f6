package io.gpusched.server.http;

import io.gpusched.server.cell.Liveness;

/// Health and readiness probes. They change nothing and need no token.
final class HealthHandlers {
    private final Liveness liveness;

    HealthHandlers(Liveness liveness) {
        this.liveness = liveness;
    }

    Response healthy(Request request) {
        return probe("healthy");
    }

    Response ready(Request request) {
        return probe("ready");
    }

    private Response probe(String word) {
        String trouble = liveness.trouble();
        if (trouble.isEmpty()) {
            return Response.ok(new JsonOutput().object().field("status", word).endObject());
        }
        return Response.json(
                503,
                new JsonOutput()
                        .object()
                        .field("status", "un" + word)
                        .field("detail", "Service not ready")
                        .field("error", trouble)
                        .field("code", "not_ready")
                        .field("hint", "the server's log says more")
                        .endObject());
    }
}

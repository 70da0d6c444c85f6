package io.gpusched.server.http;

import io.gpusched.server.cell.Pulse;

/// Probes: whether the server works. They change nothing, and they need no token.
final class HealthPages {
    private final Pulse pulse;

    HealthPages(Pulse pulse) {
        this.pulse = pulse;
    }

    Reply healthy(Asked asked) {
        return probe("healthy");
    }

    Reply ready(Asked asked) {
        return probe("ready");
    }

    private Reply probe(String word) {
        String trouble = pulse.trouble();
        if (trouble.isEmpty()) {
            return Reply.ok(new JsonOut().object().field("status", word).endObject());
        }
        return Reply.json(
                503,
                new JsonOut()
                        .object()
                        .field("status", "un" + word)
                        .field("detail", "Service not ready")
                        .field("error", trouble)
                        .field("code", "not_ready")
                        .field("hint", "the server's log says more")
                        .endObject());
    }
}

package io.gpusched.server.http;

import io.gpusched.core.learn.ScoreSettings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/// Describes this server: `/` briefly, `/openapi.json` completely.
final class AboutHandlers {
    private static final String SERVICE = "information-theoretic-gpu-scheduler";

    /// The version of the published scheduler agent, whose clients this server also serves.
    private static final String INTERFACE = "1.0.0";

    private final byte[] openApi = read();
    private final String version;
    private final ScoreSettings settings;
    private final long retention;

    AboutHandlers(String version, ScoreSettings settings, long retention) {
        this.retention = retention;
        this.version = version;
        this.settings = settings;
    }

    /// The web page for a browser; for other clients a short description in the form of the
    /// published scheduler agent.
    Response service(Request request) {
        return request.wantsPage() ? PageHandlers.redirect("ui/") : facts();
    }

    private Response facts() {
        return Response.ok(
                new JsonOutput()
                        .object()
                        .field("service", SERVICE)
                        .field("version", INTERFACE)
                        .field("release", version)
                        .field("api", "/openapi.json")
                        .name("config")
                        .object()
                        .field("lambda_uncertainty", settings.uncertainty())
                        .field("beta_exploration", settings.exploration())
                        .field("gamma_interference", settings.interference())
                        .field("exploration_cap", settings.cap())
                        .field("enable_interference", settings.useNeighbours())
                        .field("enable_sinkhorn", settings.batches())
                        .field("tau_squared", settings.noise())
                        .field("retention_observations", retention)
                        .endObject()
                        .endObject());
    }

    Response openApi(Request request) {
        return new Response.Complete(200, Response.JSON, openApi, Map.of());
    }

    private static byte[] read() {
        try (InputStream in =
                Objects.requireNonNull(AboutHandlers.class.getResourceAsStream("openapi.json"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

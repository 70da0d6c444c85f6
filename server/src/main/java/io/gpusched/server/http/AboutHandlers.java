package io.gpusched.server.http;

import io.gpusched.core.learn.ScoreSettings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    /// A short description: a page for a browser, JSON in the form of the published scheduler agent
    /// for other clients.
    Response service(Request request) {
        return request.wantsPage() ? page() : facts();
    }

    private Response page() {
        String html =
                """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>gpu-scheduler</title></head>
                <body><h1>gpu-scheduler</h1><p>Version %s. Use it with <code>gpu-cli</code> or
                over REST: <a href="/openapi.json">API description</a>,
                <a href="/api/v1/health">health</a>, <a href="/metrics">metrics</a>.</p></body></html>
                """
                        .formatted(version);
        return new Response.Complete(
                200,
                "text/html; charset=utf-8",
                html.getBytes(StandardCharsets.UTF_8),
                Map.of("Vary", "Accept"));
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

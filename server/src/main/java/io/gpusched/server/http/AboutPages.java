package io.gpusched.server.http;

import io.gpusched.core.learn.ScoreSettings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/// What this server is: `/` in a few words, `/openapi.json` in many.
final class AboutPages {
    private static final String SERVICE = "information-theoretic-gpu-scheduler";

    private final byte[] openApi = read();
    private final String version;
    private final ScoreSettings settings;

    AboutPages(String version, ScoreSettings settings) {
        this.version = version;
        this.settings = settings;
    }

    Reply service(Asked asked) {
        return Reply.ok(
                new JsonOut()
                        .object()
                        .field("service", SERVICE)
                        .field("version", version)
                        .field("api", "/openapi.json")
                        .name("config")
                        .object()
                        .field("lambda_uncertainty", settings.uncertainty())
                        .field("beta_exploration", settings.exploration())
                        .field("gamma_interference", settings.interference())
                        .field("exploration_cap", settings.cap())
                        .field("enable_interference", settings.heedNeighbours())
                        .field("enable_sinkhorn", settings.batches())
                        .endObject()
                        .endObject());
    }

    Reply openApi(Asked asked) {
        return new Reply.Whole(200, Reply.JSON, openApi, Map.of());
    }

    private static byte[] read() {
        try (InputStream in =
                Objects.requireNonNull(AboutPages.class.getResourceAsStream("openapi.json"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.gpusched.agent.notice;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Reads the metadata service of a provider, which answers on an address of the machine's own link.
final class ProviderHttp {
    static final URI LINK_LOCAL = URI.create("http://169.254.169.254");
    static final URI GOOGLE = URI.create("http://metadata.google.internal");

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    static final int MOST_BYTES = 64 << 10;

    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .proxy(HttpClient.Builder.NO_PROXY)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
    private final URI base;

    ProviderHttp(URI base) {
        this.base = base;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
    }

    /// The body of the answer; null for 404, by which providers say that there is none.
    @Nullable String read(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            String text = new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            if (answer.statusCode() == 404) {
                return null;
            }
            if (answer.statusCode() != 200) {
                throw new IOException(
                        "expected status 200 from "
                                + request.uri()
                                + ", found "
                                + answer.statusCode());
            }
            return text;
        }
    }
}

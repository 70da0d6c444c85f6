package io.gpusched.cli.rest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Sends PATCH, which `HttpURLConnection` cannot. Loaded only by the commands that need it, because
/// the classes behind it take longer to load than any other request takes to answer.
final class Patch {
    private Patch() {}

    static Answer send(Access access, Route route, byte[] body) throws IOException {
        var request =
                HttpRequest.newBuilder(URI.create(access.url() + route.written()))
                        .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(body))
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(60));
        access.headers().forEach(request::header);
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5));
        if (access.trust() != null) {
            builder.sslContext(access.trust());
        }
        try (HttpClient client = builder.build()) {
            HttpResponse<byte[]> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            String location = response.headers().firstValue("Location").orElse("another address");
            return Answer.of(response.statusCode(), location, response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the answer", e);
        }
    }
}

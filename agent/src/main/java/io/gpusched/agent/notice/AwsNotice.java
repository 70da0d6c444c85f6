package io.gpusched.agent.notice;

import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.DateTimeException;
import java.time.Instant;

/// The notice of a spot instance of Amazon EC2, about two minutes before its end. The service wants
/// a token of its own on every read.
final class AwsNotice implements NoticeSource {
    private final ProviderHttp http;

    AwsNotice(URI base) {
        this.http = new ProviderHttp(base);
    }

    @Override
    public @Nullable Announcement read() throws IOException, InterruptedException {
        String token =
                http.read(
                        http.request("/latest/api/token")
                                .header("X-aws-ec2-metadata-token-ttl-seconds", "60")
                                .PUT(HttpRequest.BodyPublishers.noBody())
                                .build());
        HttpRequest.Builder request = http.request("/latest/meta-data/spot/instance-action");
        if (token != null) {
            request.header("X-aws-ec2-metadata-token", token.strip());
        }
        String answer = http.read(request.build());
        if (answer == null) {
            return null;
        }
        String time = NoticeJson.text(NoticeJson.object(answer), "time");
        try {
            return new Announcement(Instant.parse(time));
        } catch (DateTimeException e) {
            throw new IOException("expected a time in the notice, found " + shown(time), e);
        }
    }

    private static String shown(String text) {
        return new JsonTree.Text(text).shown();
    }
}

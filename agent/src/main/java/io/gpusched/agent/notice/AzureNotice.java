package io.gpusched.agent.notice;

import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/// The notice of a spot machine of Azure: a scheduled event of the type `Preempt`, at least half a
/// minute before its end.
final class AzureNotice implements NoticeSource {
    private final ProviderHttp http;

    AzureNotice(URI base) {
        this.http = new ProviderHttp(base);
    }

    @Override
    public @Nullable Announcement read() throws IOException, InterruptedException {
        String answer =
                http.read(
                        http.request("/metadata/scheduledevents?api-version=2020-07-01")
                                .header("Metadata", "true")
                                .build());
        if (answer == null
                || !(NoticeJson.object(answer).get("Events") instanceof JsonTree.Items events)) {
            return null;
        }
        for (JsonTree each : events.all()) {
            if (each instanceof JsonTree.Mapping event
                    && NoticeJson.text(event.entries(), "EventType").equals("Preempt")) {
                return new Announcement(time(NoticeJson.text(event.entries(), "NotBefore")));
            }
        }
        return null;
    }

    /// An event that has begun has no time: the machine may go at any moment.
    private static Instant time(String text) throws IOException {
        try {
            return text.isEmpty()
                    ? Instant.now()
                    : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (DateTimeException e) {
            throw new IOException(
                    "expected a time in NotBefore, found " + new JsonTree.Text(text).shown(), e);
        }
    }
}

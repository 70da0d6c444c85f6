package io.gpusched.agent.notice;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;

/// The notice of a spot machine of Google Compute Engine. It says that the machine is being
/// preempted, not when; that is half a minute later.
final class GoogleNotice implements NoticeSource {
    private static final Duration LEFT = Duration.ofSeconds(30);

    private final ProviderHttp http;
    private @Nullable Announcement announced;

    GoogleNotice(URI base) {
        this.http = new ProviderHttp(base);
    }

    @Override
    public @Nullable Announcement read() throws IOException, InterruptedException {
        String answer =
                http.read(
                        http.request("/computeMetadata/v1/instance/preempted")
                                .header("Metadata-Flavor", "Google")
                                .build());
        if (answer == null || !answer.strip().equalsIgnoreCase("true")) {
            announced = null;
        } else if (announced == null) {
            announced = new Announcement(Instant.now().plus(LEFT));
        }
        return announced;
    }
}

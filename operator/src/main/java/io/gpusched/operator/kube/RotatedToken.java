package io.gpusched.operator.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A token in a file that somebody renews, as the kubelet does for service accounts. It is read
/// again every few seconds, and at once when the server has refused it.
final class RotatedToken implements Credentials {
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final Path file;
    private final InstantSource clock;
    private Instant readAt = Instant.MIN;
    private String token = "";

    RotatedToken(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public synchronized String authorization() {
        if (clock.instant().isAfter(readAt.plus(FRESH))) {
            read();
        }
        return "Bearer " + token;
    }

    @Override
    public ClientCertificate certificate() {
        return ClientCertificate.NONE;
    }

    /// Only a token that differs is worth another try.
    @Override
    public synchronized boolean refresh() {
        String before = token;
        read();
        return !token.equals(before);
    }

    private void read() {
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            if (token.isEmpty()) {
                throw new InvalidKubeConfig(
                        "the token file %s cannot be read (%s); give the operator read access to it"
                                .formatted(file, e.getClass().getSimpleName()));
            }
            return; // Being replaced: the token that we have may still be good.
        }
        if (token.isEmpty()) {
            throw new InvalidKubeConfig("the token file %s is empty".formatted(file));
        }
        readAt = clock.instant();
    }

    @Override
    public String origin() {
        return "the token in " + file;
    }
}

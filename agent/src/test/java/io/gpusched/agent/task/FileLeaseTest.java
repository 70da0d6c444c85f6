package io.gpusched.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The scheduler waits for the lease that it granted: an agent may use a shorter one, never a
/// longer one.
final class FileLeaseTest {
    @TempDir Path directory;

    private Path file() {
        return directory.resolve("lease");
    }

    private long until() throws IOException {
        return Long.parseLong(Files.readString(file()).split(" ")[0]);
    }

    @Test
    void theAgentsOwnLeaseShortensWhatIsGranted() throws IOException {
        long sent = Uptime.now();
        new FileLease(file(), Duration.ofMinutes(1)).renew(sent, Duration.ofMinutes(10));
        assertThat(until()).isEqualTo(sent + 60 * 100);
    }

    @Test
    void theAgentsOwnLeaseDoesNotLengthenWhatIsGranted() throws IOException {
        long sent = Uptime.now();
        new FileLease(file(), Duration.ofHours(1)).renew(sent, Duration.ofMinutes(10));
        assertThat(until()).isEqualTo(sent + 600 * 100);
    }

    @Test
    void aLeaseIsNeverShortened() throws IOException {
        long sent = Uptime.now();
        new FileLease(file(), Duration.ofHours(1)).renew(sent, Duration.ofMinutes(10));
        new FileLease(file(), Duration.ofMinutes(1)).renew(sent, Duration.ofMinutes(1));
        assertThat(until()).isEqualTo(sent + 600 * 100);
    }
}

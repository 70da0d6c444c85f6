package io.gpusched.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// A scheduler played by a shell script.
final class ServerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir private Path root;

    @Test
    void theReadyLineSaysWhereAndWhen() throws Exception {
        scheduler("echo starting; echo \"ready http=http://127.0.0.1:$PORT grpc=x:1\"; exec cat");
        try (var shop = BenchFolder.open(root)) {
            var server = ServerProcess.start(shop, root, Map.of("PORT", "4711"), PATIENCE);
            assertThat(server.uri()).isEqualTo(URI.create("http://127.0.0.1:4711"));
            assertThat(server.readyAfter()).isPositive().isLessThan(PATIENCE);
        }
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        scheduler("echo $$ > pid; echo ready http=http://localhost:1; exec cat");
        long pid;
        try (var shop = BenchFolder.open(root)) {
            ServerProcess.start(shop, root, Map.of(), PATIENCE);
            pid = Long.parseLong(Files.readString(root.resolve("pid")).strip());
            assertThat(ProcessHandle.of(pid)).isPresent();
        }
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(root.resolve("target")).isEmptyDirectory();
    }

    @Test
    void aSchedulerThatDiesIsReportedWithTheEndOfItsLog() throws Exception {
        scheduler("echo 'port 8080 is taken' >&2; exit 1");
        try (var shop = BenchFolder.open(root)) {
            assertThatThrownBy(() -> ServerProcess.start(shop, root, Map.of(), PATIENCE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port 8080 is taken");
        }
    }

    private void scheduler(String script) throws IOException {
        Path file = Files.createDirectories(root.resolve("bin")).resolve("scheduler");
        Files.writeString(file, "#!/bin/sh\ncd " + root + "\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}

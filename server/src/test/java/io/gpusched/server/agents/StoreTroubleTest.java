package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.server.Server;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.store.Backup;
import io.gpusched.store.Database;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What agents and health probes see when a server loses its store, for a while or for good, or the
/// cell's thread.
final class StoreTroubleTest {
    @TempDir Path directory;

    private static Server server(Path folder, int port) {
        return server(
                folder,
                port,
                death -> {
                    throw new AssertionError(death);
                });
    }

    private static Server server(Path folder, int port, Consumer<Throwable> onDeath) {
        Arguments arguments =
                Arguments.of(
                        "--data-dir",
                        folder.toString(),
                        "--http-port",
                        "0",
                        "--grpc-port",
                        String.valueOf(port),
                        "--metrics-port",
                        "0");
        return Server.start(ConfigReader.read(arguments, Map.of()), onDeath);
    }

    private static Command submit() {
        return new Command.Submit(Specs.script("true").spec(), "", 0, false, "test");
    }

    @Test
    void leasesRunOutWhileNothingCanBeStoredAndAreGivenAgainAfterwards() throws Exception {
        Path folder = directory.resolve("data");
        try (Server server = server(folder, 0);
                var agent = new Impostor("n1", server.grpcPort());
                var other = DriverManager.getConnection("jdbc:sqlite:" + folder + "/journal.db");
                var sql = other.createStatement()) {
            long session = agent.register();
            sql.execute("BEGIN IMMEDIATE");
            server.commandGateway().tell(submit(), answer -> {});
            eventually(
                    "a lease that is not renewed",
                    () -> agent.lease(session) < 598_000,
                    () -> agent.lease(session));
            sql.execute("ROLLBACK");
            eventually(
                    "a full lease",
                    () -> agent.lease(session) > 599_000,
                    () -> agent.lease(session));
        }
    }

    @Test
    void probesSayThatNothingCanBeStoredUntilItCanAgain() throws Exception {
        Path folder = directory.resolve("data");
        try (Server server = server(folder, 0);
                var client = HttpClient.newHttpClient();
                var other = DriverManager.getConnection("jdbc:sqlite:" + folder + "/journal.db");
                var sql = other.createStatement()) {
            assertThat(statuses(client, server)).containsOnly(200);
            sql.execute("BEGIN IMMEDIATE");
            server.commandGateway().tell(submit(), answer -> {});
            eventually(
                    "probes that fail",
                    () -> statuses(client, server).equals(List.of(503, 503, 503, 503)),
                    () -> statuses(client, server));
            assertThat(probe(client, server, "/health").body())
                    .contains("\"status\":\"unhealthy\"", "nothing can be stored at the moment");
            assertThat(probe(client, server, "/readyz").body()).contains("\"status\":\"unready\"");
            sql.execute("ROLLBACK");
            eventually(
                    "probes that succeed",
                    () -> statuses(client, server).equals(List.of(200, 200, 200, 200)),
                    () -> statuses(client, server));
        }
    }

    /// The cell's thread checks whether an input is still wanted, so an exception there ends that
    /// thread while the store and all other parts work.
    @Test
    void probesSayThatNothingIsDecidedAnyMore() {
        var deaths = new CopyOnWriteArrayList<Throwable>();
        try (Server server = server(directory.resolve("data"), 0, deaths::add);
                var client = HttpClient.newHttpClient()) {
            assertThat(statuses(client, server)).containsOnly(200);
            server.commandGateway()
                    .tell(
                            submit(),
                            () -> {
                                throw new AssertionError("struck down");
                            },
                            answer -> {});
            eventually("the news of its death", () -> !deaths.isEmpty(), () -> deaths);

            assertThat(deaths).singleElement().asString().contains("struck down");
            assertThat(statuses(client, server)).containsOnly(503);
            assertThat(probe(client, server, "/health").body())
                    .contains("\"status\":\"unhealthy\"", "the scheduler has stopped: struck down");
            assertThat(probe(client, server, "/readyz").body()).contains("\"status\":\"unready\"");
            assertThatThrownBy(() -> server.commandGateway().ask(submit()))
                    .isInstanceOf(CellUnavailable.class);
        }
    }

    private static List<Integer> statuses(HttpClient client, Server server) {
        return Stream.of("/health", "/healthz", "/readyz", "/api/v1/health")
                .map(path -> probe(client, server, path).statusCode())
                .toList();
    }

    private static HttpResponse<String> probe(HttpClient client, Server server, String path) {
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .timeout(Duration.ofSeconds(30))
                        .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anAgentObeysASchedulerThatWasRestoredFromAnOldBackup() {
        Path old = directory.resolve("old");
        Path backup = directory.resolve("backup.db");
        Path restored = directory.resolve("restored");
        Server first = server(old, 0);
        int port = first.grpcPort();
        try (var agent = new LoopbackAgent("n1", directory, port)) {
            runAJob(first);
            Backup.make(new Database.Sqlite(old), backup);
            first.close();
            for (int restarts = 0; restarts < 2; restarts++) {
                try (Server next = server(old, port)) {
                    runAJob(next);
                }
            }
            Backup.restore(backup, new Database.Sqlite(restored));
            try (Server again = server(restored, port)) {
                runAJob(again);
            }
            assertThat(agent.quiet()).isTrue();
        } finally {
            first.close();
        }
    }

    private static void runAJob(Server server) {
        var accepted = (Answer.Accepted) server.commandGateway().ask(submit());
        JobId id = Objects.requireNonNull(accepted.job());
        eventually(
                "the end of " + id,
                () -> {
                    Job job = server.view().job(id);
                    return job != null && job.ended();
                },
                () -> String.valueOf(server.view().job(id)));
    }
}

package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.store.Database;
import io.gpusched.store.JournalReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Runs `bin/scheduler --demo` as a visitor does: it prints its address, every list has entries
/// within seconds, and it keeps no data unless asked to.
@Timeout(240)
final class DemoIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ADDRESS = "(http://)?127\\.0\\.0\\.1:[1-9][0-9]*(/metrics|/ui/)?";

    @TempDir Path temp;

    private final HttpClient client = HttpClient.newHttpClient();

    /// When each thing was first seen, in seconds after the ready line.
    private final List<String> seen = new ArrayList<>();

    private String url = "";
    private long readyAt;

    @Test
    void everyListHasEntriesAndTheDataIsKeptInTheNamedFolder() {
        Path data = temp.resolve("data");
        Started demo = demo(List.of("--data-dir", data.toString()), Map.of());
        try (demo) {
            List<String> addresses = demo.awaitReady();
            readyAt = System.nanoTime();
            url = addresses.getFirst();
            assertThat(addresses).doesNotHaveDuplicates().allMatch(at -> at.matches(ADDRESS));

            shows("8 nodes", () -> get("nodes").get("nodes").size() == 8);
            shows("running jobs", () -> jobs("running") > 0);
            shows("waiting jobs", () -> jobs("pending") > 0);
            shows("completed jobs", () -> jobs("completed") > 0);
            System.err.println("DemoIT: after the ready line, " + seen);

            assertThat(get("cluster/status").get("running_jobs").asInt())
                    .as("%s", seen)
                    .isPositive();
            assertThat(get("tenants").get("tenants"))
                    .filteredOn(tenant -> !tenant.get("id").asText().equals("default"))
                    .hasSize(3)
                    .allMatch(tenant -> tenant.get("allow_preemption").asBoolean());
        }
        assertThat(demo.output())
                .as("standard output belongs to the ready line; %s", seen)
                .singleElement()
                .asString()
                .startsWith("ready http=" + url + " grpc=");
        try (var reader = JournalReader.open(new Database.Sqlite(data))) {
            assertThat(reader.head()).as("batches kept").isPositive();
        }
    }

    @Test
    void withoutAFolderNothingIsLeftBehind() throws IOException {
        Path scratch = Files.createDirectory(temp.resolve("scratch"));
        try (Started demo =
                demo(List.of(), Map.of("GPU_SCHEDULER_JAVA_OPTS", "-Djava.io.tmpdir=" + scratch))) {
            demo.awaitReady();
            assertThat(folders(scratch)).singleElement().satisfies(DemoIT::holdsAJournal);
        }
        assertThat(folders(scratch)).isEmpty();
    }

    private static void holdsAJournal(Path folder) {
        assertThat(folder.resolve("journal.db")).exists();
    }

    private static List<Path> folders(Path scratch) throws IOException {
        try (var all = Files.list(scratch)) {
            return all.filter(path -> path.getFileName().toString().contains("demo")).toList();
        }
    }

    private Started demo(List<String> more, Map<String, String> environment) {
        var arguments = new ArrayList<>(List.of("--demo", "--http-port", "0", "--grpc-port", "0"));
        arguments.addAll(List.of("--metrics-port", "0"));
        arguments.addAll(more);
        return Started.program("scheduler", arguments, environment, temp.resolve("demo.log"));
    }

    /// Waits until the condition holds. The target for a visitor is five seconds; the test only
    /// records the time, because the machine may be busy.
    private void shows(String what, BooleanSupplier holds) {
        Started.soon(what + "; so far " + seen, holds);
        seen.add("%s: %.1f s".formatted(what, (System.nanoTime() - readyAt) / 1e9));
    }

    private int jobs(String state) {
        return get("jobs?limit=1&state=" + state).get("total").asInt();
    }

    private JsonNode get(String path) {
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/" + path)).build();
        try {
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}

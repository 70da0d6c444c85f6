package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.command.CommandCatalogue;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// If the server refuses, every command fails, prints the reason and the hint, and prints nothing
/// on standard output.
final class RefusalsTest {
    /// Commands that need no server.
    private static final List<String> ALONE = List.of("completion", "version", "help");

    private static final List<String> LINES =
            List.of(
                    "submit --gpus 1",
                    "submit --gpus 1 --wait",
                    "list",
                    "list --watch",
                    "get job-1",
                    "wait job-1",
                    "logs job-1",
                    "logs job-1 --follow",
                    "logs job-1 --tail 3",
                    "explain job-1",
                    "events job-1",
                    "events",
                    "cancel job-1",
                    "hold job-1",
                    "release job-1",
                    "priority job-1 5",
                    "status",
                    "nodes",
                    "nodes node-1",
                    "cordon node-1",
                    "uncordon node-1",
                    "drain node-1",
                    "delete-node node-1",
                    "declare-lost node-1",
                    "defrag job-1",
                    "fairshare",
                    "idle",
                    "alerts",
                    "alerts silence alert-1",
                    "alerts unsilence alert-1",
                    "alerts test",
                    "pool list",
                    "pool show chat",
                    "pool scale chat --replicas 2",
                    "pool explain chat",
                    "pool history chat",
                    "pool delete chat",
                    "models list",
                    "classes list",
                    "classes show assistant",
                    "classes delete assistant",
                    "carbon list",
                    "carbon show default",
                    "carbon delete default",
                    "carbon put default -f ../samples/carbon/intensity.csv --start now",
                    "apply -f ../samples/pools/chat.yaml",
                    "model",
                    "model train",
                    "what-if",
                    "what-if --policy fair",
                    "what-if whatif-1",
                    "what-if whatif-1 --cancel",
                    "policy",
                    "policy set fair",
                    "shadow",
                    "shadow promote",
                    "tenants",
                    "tenants team-a",
                    "create-tenant --name a",
                    "update-tenant team-a --max-gpus 1",
                    "delete-tenant team-a",
                    "tokens team-a",
                    "create-token team-a",
                    "create-token --agents",
                    "revoke-token team-a tok-1",
                    "revoke-token team-a --all");

    @Test
    void everyCommandIsTried() {
        var tried = new HashSet<>(ALONE);
        LINES.forEach(line -> tried.add(line.split(" ")[0]));
        assertThat(tried).containsExactlyInAnyOrderElementsOf(CommandCatalogue.NAMES);
    }

    @Test
    void aRefusalIsPrintedInFullByEveryCommandInEveryFormat() {
        for (String line : LINES) {
            for (String format : formats(line)) {
                try (var stand = new Stand()) {
                    stand.otherwise(
                            409,
                            """
                            {"error":"it is too late","code":"late","field":"when","hint":"be early"}
                            """);
                    var words =
                            Stream.concat(Stream.of(line.split(" ")), Stream.of("-o", format))
                                    .toArray(String[]::new);
                    var outcome = Shell.at(stand).interruptedAfter(3).run(words);

                    String about = line + " -o " + format;
                    assertThat(stand.asked()).as(about).isNotEmpty();
                    assertThat(outcome.code()).as(about).isEqualTo(1);
                    assertThat(outcome.out()).as(about).isEmpty();
                    assertThat(outcome.err())
                            .as(about)
                            .contains("refused: it is too late (HTTP 409)")
                            .contains("  field: when")
                            .contains("  hint:  be early");
                }
            }
        }
    }

    /// A status has no names, and is refused before any request.
    private static List<String> formats(String line) {
        return line.equals("status") ? List.of("table", "json") : List.of("table", "json", "name");
    }
}

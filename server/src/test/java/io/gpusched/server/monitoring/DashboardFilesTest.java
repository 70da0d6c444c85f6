package io.gpusched.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// The committed dashboards are those that [Dashboards] describes.
final class DashboardFilesTest {
    static final Path FOLDER = Path.of("../deploy/grafana");

    @Test
    void theCommittedFilesAreTheGeneratedOnes() throws IOException {
        for (Dashboard dashboard : Dashboards.ALL) {
            Path file = FOLDER.resolve(dashboard.file());
            if (Boolean.getBoolean("update")) {
                Files.writeString(file, dashboard.text());
            }
            assertThat(file).content().as("update with -Dupdate=true").isEqualTo(dashboard.text());
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> name.endsWith(".json"))
                    .hasSameElementsAs(Dashboards.ALL.stream().map(Dashboard::file).toList());
        }
    }

    @Test
    void noPanelOverlapsAnotherAndEveryPanelExplainsItself() throws IOException {
        var uids = new HashSet<String>();
        for (Dashboard dashboard : Dashboards.ALL) {
            JsonNode root = new ObjectMapper().readTree(dashboard.text());
            assertThat(root.get("id").isNull()).isTrue();
            assertThat(uids.add(root.get("uid").asText())).isTrue();
            assertThat(root.get("uid").asText().length()).isLessThanOrEqualTo(40);
            var ids = new HashSet<Integer>();
            var taken = new HashSet<List<Integer>>();
            for (JsonNode panel : root.get("panels")) {
                assertThat(ids.add(panel.get("id").asInt())).isTrue();
                assertThat(panel.get("description").asText()).endsWith(".");
                assertThat(panel.get("fieldConfig").get("defaults").get("unit").asText())
                        .isNotEmpty();
                JsonNode grid = panel.get("gridPos");
                for (int x = 0; x < grid.get("w").asInt(); x++) {
                    for (int y = 0; y < grid.get("h").asInt(); y++) {
                        int column = grid.get("x").asInt() + x;
                        assertThat(column).isLessThan(24);
                        assertThat(taken.add(List.of(column, grid.get("y").asInt() + y)))
                                .as(dashboard.name() + ": " + panel.get("title"))
                                .isTrue();
                    }
                }
            }
        }
    }
}

package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// What the chart makes of each file with values, compared with the file beside it. Update the
/// files with -Dupdate=true, and review the difference like code.
final class ChartGoldenTest {
    @TempDir Path home;

    static List<Path> cases() {
        return Chart.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void valuesMakeTheseObjects(Path values) throws IOException {
        String rendered = new Chart(home).template("--values", values.toString()).succeeded().out();
        Path golden =
                values.resolveSibling(values.getFileName().toString().replace(".yaml", ".golden"));
        String shown = shown(rendered);
        if (Boolean.getBoolean("update")) {
            Files.writeString(golden, shown);
        }
        assertThat(golden).content().as("update with -Dupdate=true").isEqualTo(shown);
    }

    /// Without the version, which a release changes, and without definitions of custom resources,
    /// which [ChartFilesTest] compares.
    private static String shown(String rendered) throws IOException {
        String version =
                Chart.read(Files.readString(Chart.folder().resolve("Chart.yaml")))
                        .getFirst()
                        .path("version")
                        .asText();
        var kept = new StringBuilder();
        for (String document : rendered.split("(?m)^---\\n")) {
            if (!document.isBlank() && !document.contains("\nkind: CustomResourceDefinition\n")) {
                kept.append("---\n").append(document.stripTrailing()).append('\n');
            }
        }
        return kept.toString().replaceAll(Pattern.quote(version), "VERSION");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void helmFindsNothingToImprove(Path values) {
        assertThat(new Chart(home).lint("--values", values.toString()).succeeded().out())
                .contains("1 chart(s) linted, 0 chart(s) failed")
                .doesNotContain("WARNING");
    }

    @Test
    void renderingTwiceGivesTheSame() {
        var chart = new Chart(home);
        String values = Chart.root().resolve("deploy/helm/tests/everything.yaml").toString();
        assertThat(chart.template("--values", values).succeeded().out())
                .isEqualTo(chart.template("--values", values).succeeded().out());
    }

    /// Argo CD and `helm template` render without a cluster.
    @Test
    void noTemplateAsksTheCluster() throws IOException {
        try (var files = Files.walk(Chart.folder().resolve("templates"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file))
                        .as("%s", file)
                        .doesNotContainPattern("\\blookup\\b");
            }
        }
    }
}

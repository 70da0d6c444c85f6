package io.gpusched.wire.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// Blocks of guides: whole manifests, and parts without `kind`.
final class ManifestPartTest {
    private static final Path GUIDES = Path.of("..", "..", "shared", "seeds");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

    private final ManifestReader reader = new ManifestReader(1 << 20);

    private Parsed<List<Manifest>, Problem> read(String text, String name, @Nullable Pool present) {
        var known =
                new ManifestReader.Present() {
                    @Override
                    public @Nullable Pool pool(String asked) {
                        return present != null && present.id().name().equals(asked)
                                ? present
                                : null;
                    }

                    @Override
                    public boolean has(String kind, String asked) {
                        return asked.equals("known");
                    }
                };
        var context =
                new ManifestReader.Context(
                        new JobRequest.Context(100, 8, true),
                        namespace -> new TenantId("default"),
                        name,
                        known);
        return reader.read(text.getBytes(StandardCharsets.UTF_8), context);
    }

    private Parsed.Valid<List<Manifest>, Problem> valid(String text, String name) {
        Parsed<List<Manifest>, Problem> parsed = read(text, name, null);
        if (parsed instanceof Parsed.Valid<List<Manifest>, Problem> valid) {
            return valid;
        }
        throw new AssertionError(text + "was refused: " + parsed);
    }

    private Pool pool(String text) {
        return ((Manifest.OfPool) valid(text, "chat").value().getFirst()).pool();
    }

    private List<Problem> invalid(String text, String name) {
        return ((Parsed.Invalid<List<Manifest>, Problem>) read(text, name, null)).problems();
    }

    private static List<String> blocks(String guide) {
        return BLOCK.matcher(guide).results().map(found -> found.group(1)).toList();
    }

    private static String ourBlocks() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ManifestPartTest.class.getResourceAsStream("/manifests/blocks.md"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void everyBlockOfAGuideIsAccepted() throws IOException {
        List<String> blocks = blocks(ourBlocks());
        assertThat(blocks).hasSize(16);
        for (String block : blocks) {
            var read = valid(block, "from-the-file");
            assertThat(read.value()).as(block).hasSize(1);
            if (!block.contains("kind:")) {
                assertThat(read.value().getFirst().name()).isEqualTo("from-the-file");
                assertThat(read.warnings().getFirst())
                        .startsWith("AgentPool/from-the-file: document 1 has no kind and is read")
                        .contains("named from-the-file");
            }
        }
    }

    @Test
    void everyBlockOfThePublishedGuideIsAccepted() throws IOException {
        assumeTrue(Files.exists(GUIDES), "needs the published guides beside the project");
        String guide;
        try (var files = Files.list(GUIDES)) {
            Path file =
                    files.filter(each -> each.getFileName().toString().startsWith("001_"))
                            .findFirst()
                            .orElseThrow();
            guide = Files.readString(file);
        }
        List<String> blocks = blocks(guide);
        assertThat(blocks).hasSizeGreaterThanOrEqualTo(16);
        for (String block : blocks) {
            var read = valid(block, "guide");
            assertThat(read.value()).as(block).hasSize(1);
            assertThat(read.warnings()).as(block).noneMatch(each -> each.contains("not known"));
            if (!block.contains("kind:")) {
                assertThat(read.warnings().getFirst()).as(block).contains("has no kind");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduling: {priority: 5} | AgentPool | spec of an AgentPool",
                "priority: 5 | AgentPool | spec.scheduling of an AgentPool",
                "spotEnabled: true | AgentPool | spec.scheduling.costOptimization of an AgentPool",
                "spec: {prewarmPercent: 5} | AgentPool | spec of an AgentPool",
                "autoscaling: {cooldownPeriod: 5m} | AgentPool | spec of an AgentPool",
                "spec: {queueConfig: {queueName: q}} | ToolBinding | spec of a ToolBinding",
                "queueName: q | ToolBinding | spec.queueConfig of a ToolBinding",
                "slo: {ttft: 500ms} | AgentClass | spec of an AgentClass",
                "weightsURI: s3://m | Model | spec of a Model"
            })
    void theFieldsTellTheKindAndThePlace(String text, String kind, String place) {
        var read = valid(text + "\n", "chat");
        assertThat(read.value().getFirst().kind()).isEqualTo(kind);
        assertThat(read.warnings().getFirst()).contains("is read as " + place + " named chat;");
    }

    @Test
    void aPartIsReadLikeTheWholeManifest() {
        assertThat(pool("topology: {locality: nvlink, minBandwidth: 300Gi}\n"))
                .isEqualTo(
                        pool(
                                """
                                kind: AgentPool
                                metadata: {name: chat}
                                spec:
                                  gpuRequirements:
                                    topology: {locality: nvlink, minBandwidth: 300Gi}
                                """));
        assertThat(pool("metadata: {name: own}\nspec: {maxReplicas: 3}\n").id())
                .isEqualTo(new PoolId("own"));
    }

    @Test
    void ofTwoVariantsTheLastOneIsUsed() {
        String text = "topology: {locality: same-node}\ntopology: {locality: any}\n";
        assertThat(pool(text).replica().roles().getFirst().shape().gpus())
                .isEqualTo(new GpuRequest.Whole(1, 0, Locality.ANY, 0));
        assertThat(valid(text, "chat").warnings())
                .contains(
                        "AgentPool/chat: topology is written more than once; the last one is used");
    }

    @Test
    void aPartKeepsTheOtherSettingsOfAPoolThatIsThere() {
        Pool before =
                pool(
                        """
                        kind: AgentPool
                        metadata: {name: chat}
                        spec: {maxReplicas: 7, replica: {command: [serve]}}
                        """);
        var read =
                (Parsed.Valid<List<Manifest>, Problem>)
                        read("prewarmPercent: 20\n", "chat", before);
        Pool after = ((Manifest.OfPool) read.value().getFirst()).pool();
        assertThat(after.warmPercent()).isEqualTo(20);
        assertThat(after.max()).isEqualTo(7);
        assertThat(after.replica()).isEqualTo(before.replica());
        assertThat(read.warnings())
                .containsExactly(
                        "AgentPool/chat: document 1 has no kind and is read as spec of an AgentPool"
                                + " named chat; the pool keeps its other settings");
    }

    @Test
    void aPartDoesNotResetAModelAClassOrABinding() {
        assertThat(invalid("queueName: other\n", "known").getFirst().message())
                .contains("ToolBinding/known exists");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{apiVersion: v1, kind: Pod, spec: {containers: []}} | found \"Pod\"",
                "{apiVersion: v1, kind: ConfigMap, data: {a: b}} | found \"ConfigMap\"",
                "{apiVersion: v1, spec: {nodeSelector: {a: b}}} | its apiVersion is v1",
                "{data: {a: b}} | found data",
                "{replicaCount: 2, image: {tag: x}, autoscaling: {enabled: true}} |"
                        + " found replicaCount, image",
                "{autoscaling: {enabled: true, targetCPUUtilizationPercentage: 80}} |"
                        + " targetCPUUtilizationPercentage is not known",
                "{spec: {containers: [{image: x}], nodeSelector: {a: b}}} | found containers",
                "{enabled: true} | fields that do not belong together: enabled",
                "{maxReplicas: 3, queueConfig: {}} |"
                        + " do not belong together: maxReplicas, queueConfig",
                "{type: queue} | could be spec.gpuRequirements of an AgentPool or spec of a"
                        + " ToolBinding",
                "{spec: {}} | found no field"
            })
    void foreignAndAmbiguousDocumentsAreRefused(String text, String says) {
        // A first line that is not JSON makes it YAML.
        List<Problem> problems = invalid("# YAML\n" + text + "\n", "chat");
        assertThat(problems).hasSize(1);
        assertThat(problems.getFirst().message()).contains(says);
        assertThat(problems.getFirst().hint()).isNotEmpty();
    }

    @Test
    void aPartWithoutANameIsRefused() {
        Problem problem = invalid("prewarmPercent: 5\n", "").getFirst();
        assertThat(problem.field()).isEqualTo("metadata.name");
        assertThat(problem.hint()).contains("--name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: AgentPool\ntopology: {}\ntopology: {}\n",
                "topology: {}\ntopology: {}\nkind: AgentPool\n",
                "spec: {topology: {}}\nspec: {topology: {}}\n",
                "topology: {locality: any, locality: nvlink}\n",
                "name: a\nname: b\n"
            })
    void onlyAPartRepeatsItsOwnFields(String text) {
        assertThatThrownBy(() -> read(text, "chat", null))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("twice");
    }
}

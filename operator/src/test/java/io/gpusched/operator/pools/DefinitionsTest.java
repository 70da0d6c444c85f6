package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// The definitions of custom resources: what they are called, and what they take.
final class DefinitionsTest {
    @ParameterizedTest
    @CsvSource({
        "AgentPool, agentpools, ap",
        "AgentClass, agentclasses, ac",
        "Model, models, mdl",
        "ToolBinding, toolbindings, tb"
    })
    void aDefinitionHasItsNamesAndAStatus(String kind, String plural, String shortName) {
        JsonNode crd = PublishedManifests.definition(kind);
        assertThat(crd.at("/metadata/name").asText()).isEqualTo(plural + ".neuronetes.io");
        assertThat(crd.at("/spec/names/plural").asText()).isEqualTo(plural);
        assertThat(crd.at("/spec/names/shortNames/0").asText()).isEqualTo(shortName);
        JsonNode version = crd.at("/spec/versions/0");
        assertThat(version.path("name").asText()).isEqualTo("v1alpha1");
        assertThat(version.at("/subresources/status").isObject()).isTrue();
        assertThat(version.path("additionalPrinterColumns").size()).isGreaterThan(3);
        assertThat(new StructuralSchema(crd).faults()).isEmpty();
    }

    @Test
    void onlyAPoolCanBeScaled() {
        JsonNode scale =
                PublishedManifests.definition("AgentPool")
                        .at("/spec/versions/0/subresources/scale");
        assertThat(scale.toString())
                .isEqualTo(
                        "{\"specReplicasPath\":\".spec.replicas\","
                                + "\"statusReplicasPath\":\".status.replicas\","
                                + "\"labelSelectorPath\":\".status.selector\"}");
        PublishedManifests.definitions()
                .forEach(
                        (kind, crd) ->
                                assertThat(crd.at("/spec/versions/0/subresources").has("scale"))
                                        .as(kind)
                                        .isEqualTo(kind.equals("AgentPool")));
    }

    @Test
    void ourBlocksOfAGuideAreTakenAsWritten() {
        List<String> blocks = PublishedManifests.blocks();
        assertThat(blocks).hasSizeGreaterThan(5);
        blocks.forEach(DefinitionsTest::assertTaken);
    }

    @Test
    void thePublishedGuideIsTakenAsWritten() {
        List<String> blocks = PublishedManifests.guide();
        assumeFalse(blocks.isEmpty(), "needs the published guides beside the project");
        assertThat(blocks).hasSize(10);
        blocks.forEach(DefinitionsTest::assertTaken);
    }

    @Test
    void oddManifestsAreTaken() {
        assertTaken(PublishedManifests.odd());
    }

    private static void assertTaken(String text) {
        for (JsonNode document : PublishedManifests.documents(text)) {
            JsonNode crd = PublishedManifests.definition(document.path("kind").asText());
            assertThat(new StructuralSchema(crd).refuses(document)).as(text).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "minReplicas: many | .spec.minReplicas must be of type integer, found \"many\"",
                "minReplicas: -1 | .spec.minReplicas is out of range: -1",
                "prewarmPercent: 101 | .spec.prewarmPercent is out of range: 101",
                "scheduling: 5 | .spec.scheduling must be of type object, found 5"
            })
    void aWrongTypeIsRefusedAtOnce(String field, String why) {
        String text = "kind: AgentPool\nmetadata: {name: chat}\nspec: {" + field + "}\n";
        var schema = new StructuralSchema(PublishedManifests.definition("AgentPool"));
        assertThat(schema.refuses(PublishedManifests.documents(text).getFirst()))
                .containsExactly(why);
    }

    @Test
    void anUnknownFieldIsKeptInASpecAndRefusedBesideIt() {
        String text = "kind: AgentPool\nmetadata: {name: chat}\nspec: {new: 1}\nspecs: {}\n";
        var schema = new StructuralSchema(PublishedManifests.definition("AgentPool"));
        assertThat(schema.refuses(PublishedManifests.documents(text).getFirst()))
                .containsExactly("unknown field .specs");
    }
}

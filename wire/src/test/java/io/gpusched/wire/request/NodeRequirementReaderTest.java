package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.NodeRequirement.Operator;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

final class NodeRequirementReaderTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(0, 8, false);

    private static final NodeAlternatives ALTERNATIVES =
            new NodeAlternatives(
                    List.of(
                            List.of(
                                    new NodeRequirement("zone", Operator.IN, List.of("a", "b")),
                                    new NodeRequirement("disk", Operator.EXISTS, List.of())),
                            List.of(new NodeRequirement("cards", Operator.GREATER, List.of("4")))));

    private static Parsed<JobRequest.Submission, Problem> read(String requirements) {
        String body = "{\"node_requirements\": " + requirements + "}";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return read(new JsonReader(1 << 20).readObject(bytes));
    }

    private static Parsed<JobRequest.Submission, Problem> read(JsonTree.Mapping body) {
        return new JobRequest().read(body, CONTEXT);
    }

    private static NodeAlternatives valid(Parsed<JobRequest.Submission, Problem> parsed) {
        var valid = (Parsed.Valid<JobRequest.Submission, Problem>) parsed;
        assertThat(valid.warnings()).isEmpty();
        return valid.value().spec().roles().getFirst().shape().requires();
    }

    @Test
    void alternativesAreListsOfRequirements() {
        var parsed =
                read(
                        """
                        [[{"key": "zone", "op": "In", "values": ["a", "b"]},
                          {"key": "disk", "op": "exists"}],
                         [{"key": "cards", "op": "Gt", "values": ["4"]}]]
                        """);
        assertThat(valid(parsed)).isEqualTo(ALTERNATIVES);
    }

    @Test
    void theSameIsSaidByGrpc() {
        var request = SubmitJobRequest.newBuilder();
        var first = request.addNodeRequirementsBuilder();
        first.addAllBuilder().setKey("zone").setOp("In").addValues("a").addValues("b");
        first.addAllBuilder().setKey("disk").setOp("Exists");
        request.addNodeRequirementsBuilder()
                .addAllBuilder()
                .setKey("cards")
                .setOp("Gt")
                .addValues("4");
        assertThat(valid(read(GrpcRequests.body(request.build())))).isEqualTo(ALTERNATIVES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5 | node_requirements",
                "[{\"key\": \"a\"}] | node_requirements[0]",
                "[[5]] | node_requirements[0][0]",
                "[[]] | node_requirements[0]",
                "[[{\"op\": \"Exists\"}]] | node_requirements[0][0].key",
                "[[{\"key\": \"a\"}]] | node_requirements[0][0].op",
                "[[{\"key\": \"a\", \"op\": \"Inn\"}]] | node_requirements[0][0].op",
                "[[{\"key\": \"a\", \"op\": \"In\"}]] | node_requirements[0][0].values",
                "[[{\"key\": \"a\", \"op\": \"Gt\", \"values\": [\"x\"]}]]"
                        + " | node_requirements[0][0].values",
                "[[{\"key\": \"a\", \"op\": \"Lt\", \"values\": [\"1\", \"2\"]}]]"
                        + " | node_requirements[0][0].values",
                "[[{\"key\": \"a\", \"op\": \"Exists\", \"values\": [\"x\"]}]]"
                        + " | node_requirements[0][0].values"
            })
    void aProblemNamesItsField(String requirements, String field) {
        var invalid = (Parsed.Invalid<JobRequest.Submission, Problem>) read(requirements);
        assertThat(invalid.problems()).extracting(Problem::field).containsExactly(field);
    }
}

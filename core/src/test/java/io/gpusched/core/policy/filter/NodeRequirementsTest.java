package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.NodeRequirement.Operator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;

final class NodeRequirementsTest {
    private final NodeRequirements filter = new NodeRequirements();

    private static NodeRequirement required(String key, Operator operator, String... values) {
        return new NodeRequirement(key, operator, List.of(values));
    }

    private static NodeBuilder inZone(String zone) {
        return aNode("n1").label("zone", zone).label("cards", "8");
    }

    @Test
    void aNodeMeetsAllRequirementsOfAnAlternative() {
        var shape =
                aShape().requiring(
                                required("zone", Operator.IN, "a", "b"),
                                required("cards", Operator.GREATER, "4"));
        assertThat(filter).on(shape, inZone("b")).accepts();
        assertThat(filter)
                .on(shape, inZone("c"))
                .refuses("node does not have zone in (a, b) and cards above 4")
                .by("node-requirements")
                .liftedBy(fleet());
    }

    @Test
    void oneAlternativeIsEnough() {
        var shape =
                aShape().requiring(required("zone", Operator.IN, "a"))
                        .requiring(required("spot", Operator.DOES_NOT_EXIST));
        assertThat(filter).on(shape, inZone("c")).accepts();
        assertThat(filter)
                .on(shape, inZone("c").label("spot", ""))
                .refuses("node does not have zone=a, or no label spot");
    }

    @ParameterizedTest
    @CsvSource({
        "IN, a, a, true",
        "IN, a, b, false",
        "IN, '', a, false",
        "NOT_IN, a, a, false",
        "NOT_IN, a, b, true",
        "NOT_IN, '', a, true",
        "EXISTS, a, '', true",
        "EXISTS, '', '', false",
        "DOES_NOT_EXIST, a, '', false",
        "DOES_NOT_EXIST, '', '', true",
        "GREATER, 5, 4, true",
        "GREATER, 4, 4, false",
        "GREATER, many, 4, false",
        "GREATER, '', 4, false",
        "LESS, 3, 4, true",
        "LESS, 4, 4, false",
        "LESS, few, 4, false"
    })
    void eachOperatorComparesAsInKubernetes(
            Operator operator, String label, String value, boolean accepted) {
        NodeBuilder node = label.isEmpty() ? aNode("n1") : aNode("n1").label("key", label);
        List<String> values = value.isEmpty() ? List.of() : List.of(value);
        var shape = aShape().requiring(new NodeRequirement("key", operator, values));
        var checked = assertThat(filter).on(shape, node);
        if (accepted) {
            checked.accepts();
        } else {
            checked.refuses(
                    "node does not have " + new NodeRequirement("key", operator, values).words());
        }
    }

    @Test
    void aLongListOfValuesIsCut() {
        var values = Collections.nCopies(200, "a-long-name");
        var shape = aShape().requiring(new NodeRequirement("host", Operator.IN, values));
        String start = "host in (" + String.join(", ", values);
        assertThat(filter)
                .on(shape, aNode("n1"))
                .refuses("node does not have " + start.substring(0, 300) + "…");
    }

    @Test
    void aJobWithoutRequirementsGoesAnywhere() {
        assertThat(filter).on(aShape(), aNode("n1")).accepts();
    }
}

package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

final class SelectorCheckTest {
    private final Scene scene =
            Scene.with(
                    aNode("n1").label("zone", "a").label("disk", "fast").build(),
                    aNode("n2").label("zone", "b").build());

    private @Nullable String missing(Labels wanted) {
        return new SelectorCheck(scene.engine().state()).missing(wanted);
    }

    private List<String> warnings(JobBuilder job) {
        Answer answer = scene.tell(new Command.Submit(job.spec(), "", 0, false, "tester"));
        return ((Answer.Accepted) answer).warnings();
    }

    @Test
    void aValueThatNoNodeHasIsNamedWithTheValuesThereAre() {
        assertThat(missing(Labels.of("zone", "x")))
                .isEqualTo("no node has the label zone=x; nodes have zone=a, zone=b");
    }

    @Test
    void aMistypedKeyIsNamedWithTheNearestKey() {
        assertThat(missing(Labels.of("zones", "a")))
                .isEqualTo("no node has the label zones=a; nodes have zone=a, zone=b");
    }

    @Test
    void aKeyThatNoNodeHasIsNamedWithTheRemedy() {
        assertThat(missing(Labels.of("network", "infiniband")))
                .isEqualTo(
                        "no node has the label network=infiniband; an agent sets labels with"
                                + " --labels KEY=VALUE");
    }

    @Test
    void labelsThatNoNodeHasTogetherAreNamed() {
        assertThat(missing(Labels.of("zone", "b").with("disk", "fast")))
                .isEqualTo("no node has all of the labels disk=fast, zone=b");
    }

    @Test
    void onlyTheFirstOfManyValuesAreNamed() {
        for (int rack = 1; rack <= 7; rack++) {
            scene.join(aNode("r" + rack).label("rack", "r" + rack).build());
        }
        assertThat(missing(Labels.of("rack", "r9")))
                .endsWith("nodes have rack=r1, rack=r2, rack=r3, rack=r4, rack=r5, …");
    }

    @Test
    void labelsThatANodeHasAreNotMissing() {
        assertThat(missing(Labels.of("zone", "a").with("disk", "fast"))).isNull();
        assertThat(missing(Labels.NONE)).isNull();
    }

    @Test
    void theWarningAndTheReasonNameTheLabel() {
        String why = "no node has the label zone=x; nodes have zone=a, zone=b";
        JobBuilder job = aJob().gpus(1).onNodesWith("zone", "x");

        assertThat(warnings(job)).containsExactly(why + "; the job waits until the fleet changes");

        JobId id = scene.submit(job);
        assertThat(scene.explainer().why(id).getFirst().why()).isEqualTo(why);
        assertThat(scene.explainer().explain(id).summary()).isEqualTo("waits for 1 GPU: " + why);
    }

    @Test
    void aFleetWithoutNodesLacksNothing() {
        var empty = new Scene("priority");
        JobId id = empty.submit(aJob().onNodesWith("zone", "x"));

        assertThat(empty.explainer().explain(id).summary())
                .isEqualTo("no nodes have joined; start an agent");
    }
}

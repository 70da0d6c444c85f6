package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.changed;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Toleration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which jobs a tainted node takes.
final class TaintedTest {
    private final Tainted filter = new Tainted();

    @Test
    void theReasonNamesTheFirstTaintThatIsNotTolerated() {
        var node = aNode("n1").taint("spot").taint("old");
        assertThat(filter).on(aShape().tolerating("spot").tolerating("old"), node).accepts();
        assertThat(filter)
                .on(aShape().tolerating("spot"), node)
                .refuses("node is tainted old=yes")
                .by("taint")
                .liftedBy(changed("the job tolerates old=yes, or the taint is removed"));
        assertThat(filter).on(aShape(), node).refuses("node is tainted spot=yes");
    }

    @Test
    void aTolerationOfAnotherEffectIsNone() {
        assertThat(filter)
                .on(
                        aShape().tolerating(new Toleration("spot", true, "", "NoExecute")),
                        aNode("n1").taint("spot", "NoSchedule"))
                .refuses("node is tainted spot=yes");
    }

    @Test
    void aTolerationWithoutAKeyCoversEveryTaint() {
        assertThat(filter)
                .on(aShape().tolerating(""), aNode("n1").taint("spot").taint("old"))
                .accepts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoSchedule", "NoExecute"})
    void aTaintedNodeTakesOnlyJobsThatTolerateIt(String effect) {
        Scene scene = Scene.with(aNode("n1").taint("spot", effect).build());
        JobId without = scene.submit(aJob());
        assertThat(scene.phase(without)).isEqualTo("Waiting");
        assertThat(scene.explainer().explain(without).summary())
                .endsWith(": node is tainted spot=yes (n1)");
        JobId other = scene.submit(aJob().tolerating(new Toleration("spot", false, "no", "")));
        assertThat(scene.phase(other)).as("tolerates another value").isEqualTo("Waiting");
        JobId same = scene.submit(aJob().tolerating(new Toleration("spot", false, "yes", effect)));
        assertThat(scene.where(same)).isEqualTo("n1[0]");
    }

    @Test
    void everyTaintHasToBeTolerated() {
        Scene scene = Scene.with(aNode("n1").taint("spot").taint("old").build());
        assertThat(scene.phase(scene.submit(aJob().tolerating("spot")))).isEqualTo("Waiting");
        assertThat(scene.where(scene.submit(aJob().tolerating("spot").tolerating("old"))))
                .isEqualTo("n1[0]");
    }

    @Test
    void aPreferenceRefusesNoJob() {
        Scene scene = Scene.with(aNode("n1").taint("spot", "PreferNoSchedule").build());
        assertThat(scene.where(scene.submit(aJob()))).isEqualTo("n1[0]");
    }
}

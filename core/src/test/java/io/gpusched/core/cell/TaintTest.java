package io.gpusched.core.cell;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Toleration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whom a tainted node takes.
final class TaintTest {
    @ParameterizedTest
    @ValueSource(strings = {"NoSchedule", "NoExecute"})
    void aTaintedNodeTakesOnlyWhoToleratesIt(String effect) {
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
    void aWishKeepsNobodyAway() {
        Scene scene = Scene.with(aNode("n1").taint("spot", "PreferNoSchedule").build());
        assertThat(scene.where(scene.submit(aJob()))).isEqualTo("n1[0]");
    }
}

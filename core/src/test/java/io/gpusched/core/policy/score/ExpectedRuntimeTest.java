package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.RuntimeModel;

import org.junit.jupiter.api.Test;

import java.util.List;

final class ExpectedRuntimeTest {
    private final TestCluster cluster = aCluster("slow: 1×K80, mid: 1×V100, fast: 1×A100");
    private final RuntimeModel model = new RuntimeModel();
    private final ExpectedRuntime scorer = new ExpectedRuntime();

    ExpectedRuntimeTest() {
        scorer.teach(model);
    }

    private void ran(String gpu, double seconds) {
        for (int i = 0; i < 50; i++) {
            model.observed(
                    JobProfiles.of(aJob().kind("train").spec(), gpu),
                    List.of(),
                    seconds,
                    cluster.now().plusSeconds(i));
        }
    }

    @Test
    void theCostIsThePartOfTheTimeThatTheFastestSaves() {
        ran("A100", 40 * 60);
        ran("V100", 60 * 60);
        ran("K80", 120 * 60);
        assertThat(scorer)
                .on(aJob().kind("train"), cluster)
                .costs("fast", 0)
                .costs("mid", 1.0 / 3, 0.05)
                .costs("slow", 2.0 / 3, 0.05);
    }

    @Test
    void whereItRunsAsFastTheNodesAreAlike() {
        for (String gpu : List.of("A100", "V100", "K80")) {
            ran(gpu, 600);
        }
        assertThat(scorer)
                .on(aJob().kind("train"), cluster)
                .costs("fast", 0, 0.01)
                .costs("mid", 0, 0.01)
                .costs("slow", 0, 0.01);
    }

    @Test
    void twoNodesOfOneModelCostTheSame() {
        ran("A100", 600);
        assertThat(scorer)
                .on(aJob().kind("train"), aCluster("n1: 1×A100, n2: 1×A100"))
                .isIndifferent();
    }
}

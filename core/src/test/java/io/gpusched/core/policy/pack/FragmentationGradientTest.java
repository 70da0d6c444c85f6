package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;

final class FragmentationGradientTest {
    private static final Need WHOLE = new Need(1000, 1, 1000, List.of());

    private static TypicalWorkload typical(Need need) {
        var counts = new LinkedHashMap<Need, Long>();
        counts.put(need, 1L);
        return TypicalWorkload.of(counts, 1);
    }

    private static JobBuilder half() {
        return aJob().asking(GpuRequest.shares(500, 0, 1));
    }

    private static TestCluster cluster() {
        return aCluster(aNode("used: 1×A100").running(half(), "0"), aNode("idle: 1×A100"));
    }

    @Test
    void theNodeWhereFewerFragmentsAppearIsPreferred() {
        // On the used node 500 in fragments go away, on the idle one 500 appear.
        assertThat(new FragmentationGradient(typical(WHOLE)))
                .on(half(), cluster())
                .costs("used", 1 - 0.62)
                .costs("idle", 1 - 0.37);
    }

    @Test
    void whatNoTypicalTaskCanReachForWantOfCoresIsAFragment() {
        assertThat(new FragmentationGradient(typical(WHOLE)))
                .on(
                        aJob().gpus(0).cores(4),
                        aCluster(
                                aNode("plenty: 1×A100").cores(64),
                                aNode("scarce: 1×A100").cores(4)))
                .costs("plenty", 0.5)
                .costs("scarce", 1 - 0.26);
    }

    @Test
    void aModelThatTypicalTasksDoNotAcceptIsAllFragments() {
        var picky = new Need(1000, 1, 1000, List.of(GpuModel.parse("H100")));
        assertThat(new FragmentationGradient(typical(picky)))
                .on(half(), aCluster("wanted: 1×H100, unwanted: 1×A100"))
                .prefers("unwanted")
                .over("wanted");
    }

    @Test
    void whereNothingIsTypicalAllNodesAreAlike() {
        assertThat(new FragmentationGradient(TypicalWorkload.NOTHING))
                .on(half(), cluster())
                .isIndifferent()
                .costs("used", 0.5);
    }

    @Test
    void withoutAGivenWorkloadTheLedgerSaysWhatIsTypical() {
        TestCluster cluster = cluster();
        for (int i = 0; i < 1000; i++) {
            cluster.waiting(aJob().gpus(1));
        }
        assertThat(new FragmentationGradient(null))
                .on(half(), cluster)
                .prefers("used")
                .over("idle");
    }
}

package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;

final class ExpectedWasteTest {
    private static final Need HALF = new Need(1000, 1, 500, List.of());
    private static final Need PAIR = new Need(1000, 2, 1000, List.of());

    private static TypicalWorkload typical(Need need) {
        var counts = new LinkedHashMap<Need, Long>();
        counts.put(need, 1L);
        return TypicalWorkload.of(counts, 1);
    }

    private static JobBuilder share(int milli) {
        return aJob().asking(GpuRequest.shares(milli, 0, 1));
    }

    @Test
    void theNodeWhereNoRestRemainsIsPreferred() {
        // 600 fill the used GPU; on the idle one they leave 400 that no typical task fits.
        assertThat(new ExpectedWaste(typical(HALF)))
                .on(
                        share(600),
                        aCluster(
                                aNode("idle: 1×A100"),
                                aNode("used: 1×A100").running(share(400), "0")))
                .prefers("used")
                .over("idle");
    }

    @Test
    void nodesThatAreAsGoodAreEqual() {
        assertThat(new ExpectedWaste(typical(HALF)))
                .on(share(500), aCluster("n1: 1×A100, n2: 1×A100"))
                .isIndifferent();
    }

    @Test
    void aPairThatOthersNeedIsNotBrokenForOneGpu() {
        assertThat(new ExpectedWaste(typical(PAIR)))
                .on(
                        aJob().gpus(1),
                        aCluster(aNode("pair: 2×A100"), aNode("single: 2×A100").busy(0)))
                .prefers("single")
                .over("pair");
    }

    @Test
    void theCostFollowsChangesOfTheNodes() {
        var scorer = new ExpectedWaste(typical(HALF));
        TestCluster cluster = aCluster("n1: 1×A100, n2: 1×A100");
        assertThat(scorer).on(share(600), cluster).isIndifferent();
        cluster.running(share(400), "n2[0]");
        assertThat(scorer).on(share(600), cluster).prefers("n2").over("n1");
    }
}

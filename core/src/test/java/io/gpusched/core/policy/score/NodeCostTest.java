package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Market;
import io.gpusched.core.policy.PreferredLabel;

import org.junit.jupiter.api.Test;

final class NodeCostTest {
    private final NodeCost scorer = new NodeCost();
    private final TestCluster cluster =
            aCluster(
                    aNode("dear").label("type", "p5"),
                    aNode("cheap").label("type", "p4d"),
                    aNode("spot").label("type", "p4d-spot").label(NodeCost.CAPACITY, "spot"),
                    aNode("unknown"));

    private void price(String type, long microDollars, boolean spot) {
        cluster.apply(
                new Event.MarketChanged(
                        cluster.now(), new Market("type", type, microDollars, 0, spot)));
    }

    private void prices() {
        price("p5", 4_800_000, false);
        price("p4d", 2_400_000, false);
        price("p4d-spot", 1_200_000, true);
    }

    @Test
    void priceIsComparedWithTheDearestNode() {
        prices();
        assertThat(scorer)
                .on(aJob().label(NodeCost.SPOT, "true"), cluster)
                .costs("dear", 1)
                .costs("cheap", 0.5)
                .costs("spot", 0.25)
                .costs("unknown", 0.5);
    }

    @Test
    void aSpotNodeIsTheDearestForJobsThatMayNotBeInterrupted() {
        prices();
        assertThat(scorer)
                .on(aJob(), cluster)
                .costs("dear", 1)
                .costs("cheap", 0.5)
                .costs("spot", 1)
                .costs("unknown", 0.5);
    }

    @Test
    void withoutPricesOnlySpotMatters() {
        assertThat(scorer).on(aJob(), cluster).isIndifferent().costs("spot", 0.3);
        assertThat(scorer)
                .on(aJob().label(NodeCost.SPOT, "true"), cluster)
                .costs("spot", 0)
                .costs("dear", 0.4)
                .costs("unknown", 0.4);
    }

    @Test
    void whereAllNodesAreFreeOfChargeNoneCostsAnything() {
        price("p5", 0, false);
        price("p4d", 0, false);
        assertThat(scorer).on(aJob(), cluster).costs("dear", 0).costs("cheap", 0);
    }

    @Test
    void cheapNodesAreAskedForFirst() {
        assertThat(scorer.wishes(aJob().waiting(1, cluster.now()), cluster.state())).isEmpty();
        prices();
        assertThat(scorer.wishes(aJob().waiting(1, cluster.now()), cluster.state()))
                .containsExactly(
                        new PreferredLabel("type", "p4d"), new PreferredLabel("type", "p5"));
        Job flexible = aJob().label(NodeCost.SPOT, "true").waiting(1, cluster.now());
        assertThat(scorer.wishes(flexible, cluster.state()).getFirst())
                .isEqualTo(new PreferredLabel("type", "p4d-spot"));
    }
}

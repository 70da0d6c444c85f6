package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreferredLabel;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class DataLocalityTest {
    private final DataLocality scorer = new DataLocality();
    private final TestCluster cluster =
            aCluster(
                    aNode("held").label(DataLocality.HELD, "s1, c1"),
                    aNode("near").label(DataLocality.NEARBY, "s1"),
                    aNode("far"));

    @Test
    void heldIsBetterThanNearbyAndThatBetterThanElsewhere() {
        assertThat(scorer)
                .on(aJob().label(DataLocality.STORES, "s1"), cluster)
                .costs("held", 0)
                .costs("near", 0.2)
                .costs("far", 1);
    }

    @Test
    void theMeanOverAllThatIsNamedCounts() {
        assertThat(scorer)
                .on(
                        aJob().label(DataLocality.STORES, "s1, s2")
                                .label(DataLocality.CACHES, "c1,c2"),
                        cluster)
                .costs("held", 0.5)
                .costs("near", 0.8)
                .costs("far", 1);
    }

    @Test
    void aJobThatNamesNothingIsIndifferent() {
        assertThat(scorer).on(aJob(), cluster).isIndifferent().costs("far", 0.5);
    }

    @Test
    void aPartOfANameIsNoHit() {
        assertThat(scorer).on(aJob().label(DataLocality.STORES, "s"), cluster).costs("held", 1);
    }

    @Test
    void jobsItMustNotSitBesideCostHalf() {
        cluster.running(aJob().kind("batch"), "held[0]");
        cluster.running(aJob().label(DataLocality.COMPONENT, "indexer"), "near[0]");
        assertThat(scorer)
                .on(aJob().label(DataLocality.APART, "training, batch"), cluster)
                .costs("held", 1)
                .costs("near", 0.5);
        assertThat(scorer)
                .on(aJob().label(DataLocality.APART, "indexer"), cluster)
                .costs("held", 0.5)
                .costs("near", 1);
        assertThat(scorer)
                .on(
                        aJob().label(DataLocality.APART, "batch").label(DataLocality.STORES, "s1"),
                        cluster)
                .costs("held", 0.5)
                .costs("near", 0.2);
    }

    @Test
    void theWeightBringsTheCostTowardsNeutral() {
        var job = aJob().label(DataLocality.STORES, "s1");
        assertThat(scorer)
                .on(job.label(DataLocality.WEIGHT, "low"), cluster)
                .costs("held", 1.0 / 3)
                .costs("far", 2.0 / 3);
        assertThat(scorer)
                .on(job.label(DataLocality.WEIGHT, "medium"), cluster)
                .costs("held", 1.0 / 6)
                .costs("far", 5.0 / 6);
        assertThat(scorer).on(job.label(DataLocality.WEIGHT, "high"), cluster).costs("held", 0);
    }

    @Test
    void nodesThatHoldTheDataArePreferredOverThoseNearby() {
        Job job =
                aJob().label(DataLocality.STORES, "s1")
                        .label(DataLocality.CACHES, "c1")
                        .waiting(1, cluster.now());
        assertThat(scorer.wishes(job, cluster.state()))
                .containsExactly(
                        new PreferredLabel(DataLocality.HELD, "s1"),
                        new PreferredLabel(DataLocality.HELD, "c1"),
                        new PreferredLabel(DataLocality.NEARBY, "s1"),
                        new PreferredLabel(DataLocality.NEARBY, "c1"));
        assertThat(scorer.wishes(aJob().waiting(1, cluster.now()), cluster.state())).isEmpty();
    }

    @Test
    void replicasAreNamedByTheirPoolOrItsClass() {
        var chat = aJob().label(DataLocality.CLASS, "assistant").replicaOf("chat");
        cluster.running(chat, "held[0]");
        assertThat(scorer)
                .on(aJob().label(DataLocality.APART, "other, chat"), cluster)
                .costs("held", 1)
                .costs("near", 0.5);
        assertThat(scorer)
                .on(aJob().label(DataLocality.APART, "assistant"), cluster)
                .costs("held", 1)
                .costs("near", 0.5);
    }

    @Test
    void aPercentageThatIsNoneCountsAsTheWeightOfThePolicy() {
        assertThat(scorer.percent(aJob().waiting(1, Instant.EPOCH))).isZero();
        var job = aJob().label(DataLocality.PERCENT, "60").waiting(1, Instant.EPOCH);
        assertThat(scorer.percent(job)).isEqualTo(60);
        var wrong = aJob().label(DataLocality.PERCENT, "-3").waiting(1, Instant.EPOCH);
        assertThat(scorer.percent(wrong)).isZero();
    }
}

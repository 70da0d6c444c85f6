package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Candidate;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;

final class RandomNodeTest {
    private static final long SEED = 7;

    private final TestCluster cluster = aCluster("n1: 1×A100, n2: 1×A100, n3: 1×A100");

    private double[] costs(long seed, long job) {
        var candidates = new ArrayList<Candidate>();
        for (var node : cluster.state().nodes().all()) {
            candidates.add(new Candidate(node, new Grant.Whole(1)));
        }
        var costs = new double[candidates.size()];
        Job asked = aJob().waiting(job, cluster.now());
        new RandomNode(seed).score(asked, aShape().shape(), candidates, cluster.state(), costs);
        return costs;
    }

    @Test
    void theSameSeedJobAndNodeGiveTheSameCost() {
        assertThat(costs(SEED, 1)).isEqualTo(costs(SEED, 1));
        assertThat(costs(SEED, 1)).isNotEqualTo(costs(SEED + 1, 1));
        assertThat(costs(SEED, 1)).isNotEqualTo(costs(SEED, 2));
    }

    @Test
    void everyNodeIsPreferredEquallyOften() {
        var wins = new int[3];
        for (int job = 1; job <= 3000; job++) {
            double[] costs = costs(SEED, job);
            int best = 0;
            for (int i = 1; i < 3; i++) {
                best = costs[i] < costs[best] ? i : best;
            }
            wins[best]++;
        }
        for (int count : wins) {
            assertThat(count).as("seed %s", SEED).isBetween(900, 1100);
        }
    }

    @Test
    void costsAreInBounds() {
        assertThat(new RandomNode(SEED)).on(aJob(), cluster);
    }
}

package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.RuntimeModel;

import org.junit.jupiter.api.Test;

import java.util.List;

final class LeastEnergyTest {
    private final TestCluster cluster = aCluster("new: 4×H100, old: 4×A100");
    private final RuntimeModel model = new RuntimeModel();
    private final LeastEnergy scorer = new LeastEnergy();

    LeastEnergyTest() {
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
    void whereNothingIsKnownTheDataSheetsDecide() {
        assertThat(scorer)
                .on(aJob().kind("train"), cluster)
                .costs("new", 0)
                .costs("old", 1 - (560 / 989.0) / (320 / 312.0));
    }

    @Test
    void aJobThatIsNoFasterOnTheNewCardBelongsOnTheOldOne() {
        ran("H100", 600);
        ran("A100", 600);
        assertThat(scorer)
                .on(aJob().kind("train"), cluster)
                .costs("old", 0)
                .costs("new", 1 - 320 / 560.0, 0.05);
    }

    @Test
    void anUnseenModelFollowsFromASeenOneByTheDataSheets() {
        ran("A100", 600);
        assertThat(scorer)
                .on(aJob().kind("train"), cluster)
                .costs("new", 0)
                .costs("old", 1 - (560 / 989.0) / (320 / 312.0), 1e-6);
    }

    @Test
    void aTaskWithoutGpusIsIndifferent() {
        assertThat(scorer).on(aJob().gpus(0), cluster).isIndifferent().costs("new", 0);
    }
}

package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

final class InformationGainTest {
    private final TestCluster cluster = aCluster("known: 1×V100, unknown: 1×A100");
    private final RuntimeModel model = new RuntimeModel();

    private void ran(String gpu, int times) {
        for (int i = 0; i < times; i++) {
            model.observed(
                    JobProfiles.of(aJob().kind("train").spec(), gpu),
                    List.of(),
                    1000,
                    cluster.now().plusSeconds(i));
        }
    }

    private InformationGain scorer(double part) {
        var scorer = new InformationGain(new InformationGain.Cap(part, 100));
        scorer.teach(model);
        return scorer;
    }

    private Job job(long number, int priority) {
        return aJob().kind("train").priority(priority).waiting(number, cluster.now());
    }

    @Test
    void theModelOfWhichLessIsKnownIsPreferred() {
        ran("V100", 50);
        ran("A100", 1);
        assertThat(scorer(1)).on(job(1, 100), cluster).prefers("unknown").over("known");
    }

    @Test
    void aJobThatMayNotExploreIsIndifferent() {
        ran("V100", 50);
        assertThat(scorer(0)).on(job(1, 0), cluster).isIndifferent().costs("known", 1);
        assertThat(scorer(1)).on(job(1, 101), cluster).isIndifferent().costs("known", 1);
    }

    @Test
    void noStretchOfJobsExploresMoreThanItsPart() {
        var cap = new InformationGain.Cap(0.1, 100);
        var lets = new ArrayList<Boolean>();
        for (int number = 1; number <= 1_000; number++) {
            lets.add(cap.lets(job(number, 100)));
            assertThat(cap.lets(job(number, 101))).isFalse();
        }
        for (int from = 0; from + 100 <= lets.size(); from++) {
            assertThat(lets.subList(from, from + 100).stream().filter(each -> each).count())
                    .as("jobs from %s", from)
                    .isEqualTo(10);
        }
    }

    @Test
    void aPartIsFromNoJobToEveryJob() {
        assertThatThrownBy(() -> new InformationGain.Cap(1.1, 0))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("1.1");
    }
}

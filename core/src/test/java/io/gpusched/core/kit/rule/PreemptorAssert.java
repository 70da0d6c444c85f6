package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.state.CapacityView;

import java.time.Instant;
import java.util.List;

/// Which jobs a preemptor evicts for a job that finds no place.
public final class PreemptorAssert {
    private final Preemptor preemptor;

    PreemptorAssert(Preemptor preemptor) {
        this.preemptor = preemptor;
    }

    /// Submits the job and asks the preemptor to make room for it.
    public Victims on(JobBuilder job, TestCluster cluster) {
        return on(cluster.waiting(job), cluster);
    }

    /// Asks the preemptor to make room for a job that waits in the cluster. Whether the job fits
    /// without its victims is tried out as a scheduling cycle does.
    public Victims on(JobId id, TestCluster cluster) {
        Job job = cluster.job(id);
        var state = cluster.state();
        var nodeSearch =
                new NodeSearch(
                        state, cluster.engine().policy(), EngineSettings.DEFAULT.topologyLevels());
        var placer = new Placer(state, nodeSearch);
        var view = CapacityView.of(state, id, Instant.MAX, true);
        assertThat(placer.find(job, view)).as("%s fits without preemption", id).isNull();
        long before = state.digest();
        var leaving = PreemptionTrial.find(job, view, preemptor, placer, cluster.now());
        assertThat(state.digest()).as("the trial is undone").isEqualTo(before);
        List<Job> victims = leaving == null ? List.of() : leaving.victims();
        for (Job victim : victims) {
            assertThat(preemptor.stay(victim, job, state, cluster.now()))
                    .as("verdict on the victim %s", victim.id())
                    .isEqualTo(PreemptionVerdict.LEAVES);
        }
        return new Victims(cluster, job, victims.stream().map(Job::id).toList());
    }

    /// The preemptor's choice.
    public final class Victims {
        private final TestCluster cluster;
        private final Job job;
        private final List<JobId> victims;

        private Victims(TestCluster cluster, Job job, List<JobId> victims) {
            this.cluster = cluster;
            this.job = job;
            this.victims = victims;
        }

        /// Exactly these jobs, in this order.
        public Victims evicts(JobId... expected) {
            assertThat(victims).containsExactly(expected);
            return this;
        }

        public Victims evictsNothing() {
            assertThat(victims).isEmpty();
            return this;
        }

        /// This is what the preemptor says of one running job.
        public Victims judges(JobId running, PreemptionVerdict verdict) {
            assertThat(preemptor.stay(cluster.job(running), job, cluster.state(), cluster.now()))
                    .as("verdict on %s", running)
                    .isEqualTo(verdict);
            return this;
        }
    }
}

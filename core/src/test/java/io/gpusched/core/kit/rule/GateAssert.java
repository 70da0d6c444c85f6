package io.gpusched.core.kit.rule;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// What a gate says of a job.
public final class GateAssert {
    private final Gate gate;

    GateAssert(Gate gate) {
        this.gate = gate;
    }

    /// Submits the job and asks the gate about it.
    public Answer on(JobBuilder job, TestCluster cluster) {
        return on(cluster.waiting(job), cluster);
    }

    /// Asks the gate about a job that waits in the cluster.
    public Answer on(JobId job, TestCluster cluster) {
        return new Answer(gate.refuse(cluster.job(job), cluster.state(), cluster.now()));
    }

    /// The gate's answer.
    public static final class Answer {
        private final @Nullable Refusal refusal;

        private Answer(@Nullable Refusal refusal) {
            this.refusal = refusal;
        }

        public void letsPass() {
            RefusalAssert.isAbsent(refusal);
        }

        public RefusalAssert holdsBack(String why) {
            return RefusalAssert.because(why, refusal);
        }
    }
}

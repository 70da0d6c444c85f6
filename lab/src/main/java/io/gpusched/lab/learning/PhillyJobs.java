package io.gpusched.lab.learning;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.lab.runtimes.PastJob;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The Philly jobs as this scheduler would get them: a kind, a time limit that a person might have
/// chosen, and gangs of whole nodes for jobs that are larger than a node.
///
/// @param nodes machines of 8 GPUs
record PhillyJobs(List<PastJob> jobs, int nodes) {
    static final int NODES = 70;
    private static final int GPUS = 8;

    /// Time limits that users typically choose.
    private static final List<Duration> LIMITS =
            List.of(
                    Duration.ofHours(1),
                    Duration.ofHours(4),
                    Duration.ofHours(12),
                    Duration.ofHours(24),
                    Duration.ofDays(7));

    /// Jobs that no cluster of this size could take.
    long tooLarge() {
        return jobs.stream().filter(job -> tasks(job) > nodes).count();
    }

    /// The jobs that fit, in the order of their submission.
    ///
    /// @param told if positive, jobs carry their true runtime, which is unknown in practice, and
    ///        are planned with this multiple of it
    List<ArrivingJob> coming(double told) {
        var coming = new ArrayList<ArrivingJob>();
        for (PastJob job : jobs) {
            if (tasks(job) <= nodes) {
                JobSpec spec = spec(job);
                coming.add(
                        new ArrivingJob(
                                Instant.ofEpochSecond(job.submitted()),
                                told > 0
                                        ? spec.expecting(
                                                RuntimeExpectation.seconds(
                                                        job.seconds(), told * job.seconds()))
                                        : spec,
                                job.seconds()));
            }
        }
        return coming;
    }

    private static int tasks(PastJob job) {
        return (job.gpus() + GPUS - 1) / GPUS;
    }

    private static JobSpec spec(PastJob job) {
        GpuRequest each = GpuRequest.whole(Math.min(GPUS, job.gpus()), 0);
        return JobSpec.builder(
                        Tenant.DEFAULT,
                        List.of(Role.of(Shape.of(each, Resources.NONE), tasks(job))))
                .name("philly")
                .kind(job.group())
                .limit(limit(job.seconds()))
                .build();
    }

    private static Duration limit(double seconds) {
        for (Duration limit : LIMITS) {
            if (seconds <= limit.toSeconds()) {
                return limit;
            }
        }
        return Duration.ofSeconds((long) Math.ceil(seconds));
    }

    List<Node> cluster() {
        var all = new ArrayList<Node>();
        for (int i = 0; i < nodes; i++) {
            all.add(node("node-" + i, "P100", GPUS));
        }
        return all;
    }

    static Node node(String name, String model, int gpus) {
        var cards = new ArrayList<Gpu>();
        for (int i = 0; i < gpus; i++) {
            cards.add(new Gpu(i, new GpuModel(model, 0), 16 * 1024, name + "-" + i));
        }
        return new Node(
                new NodeId(name),
                LearningRun.AGENT,
                "",
                cards,
                Topology.FLAT,
                Resources.cores(64, 512 * 1024),
                List.of(),
                Labels.NONE);
    }
}

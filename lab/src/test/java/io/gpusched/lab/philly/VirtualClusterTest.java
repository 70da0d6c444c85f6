package io.gpusched.lab.philly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.trace.TraceJob;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/// Virtual clusters with jobs of more than one node, against a small simulator with the published
/// rules: strict head of line; up to 8 GPUs on the node with the fewest free GPUs that suffices,
/// more on whole free nodes; of equal nodes the lowest.
final class VirtualClusterTest {
    private static final int GPUS = 8;

    private static TraceJob job(long at, int gpus, long seconds) {
        var runtime = Duration.ofSeconds(seconds);
        return new TraceJob(
                "", "vc", Instant.ofEpochSecond(at), runtime, runtime, TraceJob.Ask.ofGpus(gpus));
    }

    /// Three nodes. The first job takes n0 and n1, so the second is on n2, and the fourth and the
    /// sixth share n1. The last one needs a whole node and finds one when the second ends, at 1000.
    /// If the first job took n0 and n2, the fourth would be alone there, and the last one could
    /// start when it ends, at 300.
    @Test
    void theLastTaskOfAJobOverTwoNodesGoesToTheLowestFreeNode() {
        var jobs =
                List.of(
                        job(0, 16, 100),
                        job(1, 5, 999),
                        job(101, 5, 2899),
                        job(102, 5, 198),
                        job(103, 3, 2897),
                        job(104, 3, 1896),
                        job(105, 8, 10));
        for (String policy : List.of("fifo", "sjf")) {
            VirtualCluster.Outcome outcome = new VirtualCluster(jobs, 3).run(policy, true);
            assertThat(outcome.jobs()).isEqualTo(7);
            assertThat(outcome.queued()).isEqualTo(895 / 7.0, within(1e-9));
            assertThat(outcome.completion()).isEqualTo(9894 / 7.0, within(1e-9));
        }
    }

    @Test
    void fifoAndShortestFirstAgreeWithASimulatorOfThePublishedRules() {
        int[] sizes = {1, 1, 2, 3, 4, 5, 8, 16, 16, 24, 32};
        for (long seed = 0; seed < 25; seed++) {
            var random = new Random(seed);
            int nodes = 4 + random.nextInt(4);
            var jobs = new ArrayList<TraceJob>();
            long at = 0;
            for (int i = 0; i < 60; i++) {
                at += random.nextInt(40);
                int gpus = sizes[random.nextInt(sizes.length)];
                jobs.add(job(at, gpus, 20 + random.nextInt(400)));
            }
            for (String policy : List.of("fifo", "sjf")) {
                VirtualCluster.Outcome outcome = new VirtualCluster(jobs, nodes).run(policy, true);
                assertThat(outcome.queued())
                        .as("%s on %s nodes, seed %s", policy, nodes, seed)
                        .isEqualTo(new Reference(jobs, nodes).queued(policy), within(1e-9));
            }
        }
    }

    /// The published rules, as plainly as they can be written.
    private static final class Reference {
        private static final class Running {
            final long end;
            final int[] held;

            Running(long end, int[] held) {
                this.end = end;
                this.held = held;
            }
        }

        private final List<TraceJob> jobs;
        private final int[] free;
        private final PriorityQueue<Running> running =
                new PriorityQueue<>(Comparator.comparingLong(run -> run.end));

        Reference(List<TraceJob> jobs, int nodes) {
            this.jobs = jobs;
            this.free = new int[nodes];
            Arrays.fill(free, GPUS);
        }

        /// Seconds that a job waits on average.
        double queued(String policy) {
            Comparator<Integer> bySubmission = Comparator.naturalOrder();
            var line =
                    new PriorityQueue<Integer>(
                            policy.equals("fifo")
                                    ? bySubmission
                                    : Comparator.comparing((Integer job) -> jobs.get(job).runtime())
                                            .thenComparing(bySubmission));
            long sum = 0;
            int next = 0;
            while (next < jobs.size() || !running.isEmpty()) {
                long now = Math.min(submission(next), end());
                while (end() <= now) {
                    int[] held = running.remove().held;
                    for (int node = 0; node < free.length; node++) {
                        free[node] += held[node];
                    }
                }
                while (submission(next) <= now) {
                    line.add(next++);
                }
                while (!line.isEmpty() && start(line.element(), now)) {
                    sum += now - submission(line.remove());
                }
            }
            return (double) sum / jobs.size();
        }

        private long submission(int job) {
            return job == jobs.size() ? Long.MAX_VALUE : jobs.get(job).submitted().getEpochSecond();
        }

        private long end() {
            return running.isEmpty() ? Long.MAX_VALUE : running.element().end;
        }

        private boolean start(int number, long now) {
            TraceJob job = jobs.get(number);
            int gpus = job.ask().gpus();
            int[] held = gpus <= GPUS ? onOne(gpus) : onWhole(gpus / GPUS);
            int sum = 0;
            for (int node = 0; node < free.length; node++) {
                sum += held[node];
            }
            if (sum < gpus) {
                return false;
            }
            for (int node = 0; node < free.length; node++) {
                free[node] -= held[node];
            }
            running.add(new Running(now + job.runtime().toSeconds(), held));
            return true;
        }

        private int[] onOne(int gpus) {
            var held = new int[free.length];
            int best = -1;
            for (int node = 0; node < free.length; node++) {
                if (free[node] >= gpus && (best < 0 || free[node] < free[best])) {
                    best = node;
                }
            }
            if (best >= 0) {
                held[best] = gpus;
            }
            return held;
        }

        private int[] onWhole(int nodes) {
            var held = new int[free.length];
            int left = nodes;
            for (int node = 0; node < free.length && left > 0; node++) {
                if (free[node] == GPUS) {
                    held[node] = GPUS;
                    left--;
                }
            }
            return held;
        }
    }
}

package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.audit.NaiveLedger;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/// After every single event, the fast ledger says the same as one that adds everything up from
/// scratch.
final class LedgerOracleTest {
    @Test
    void theFastLedgerEqualsTheNaiveOneAfterEveryEvent() {
        PropertyRunner.check(
                40,
                seed -> RandomScenario.script(seed, Mood.STORMY, 30),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, Mood.STORMY), script);
                    compareAfterEveryEvent(scenario, Audited.run(scenario, seed).batches());
                });
    }

    private static void compareAfterEveryEvent(Scenario scenario, List<Batch> batches) {
        var fast =
                new Engine(
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings());
        var naive = new NaiveLedger();
        for (Batch batch : batches) {
            Stream.concat(batch.facts().stream(), batch.decided().stream())
                    .forEach(
                            event -> {
                                fast.apply(event);
                                naive.apply(event);
                                compare(event, fast.state(), naive);
                            });
            assertThat(fast.digest())
                    .as("digest of batch %s", batch.number())
                    .isEqualTo(batch.digest());
        }
    }

    private static void compare(Event event, ClusterState fast, NaiveLedger naive) {
        String when = "after " + event;
        assertThat(fast.waitingJobs()).as(when).isEqualTo(naive.waitingJobs());
        assertThat(fast.runs().size()).as(when).isEqualTo(naive.holders().size());
        assertThat(fast.claims()).as(when).isEqualTo(naive.claims());
        assertThat(fast.tenants().all()).as(when).isEqualTo(naive.tenants());
        assertThat(listOf(fast.runs().preemptible())).as(when).isEqualTo(naive.preemptible());
        for (Job job : naive.jobs()) {
            assertThat(fast.job(job.id())).as(when).isEqualTo(job);
        }
        for (Tenant tenant : naive.tenants()) {
            assertThat(fast.tenants().usage(tenant.id()))
                    .as("usage of %s %s", tenant.id(), when)
                    .isEqualTo(naive.usage(tenant.id()));
        }
        assertThat(fast.nodes().all()).as(when).hasSameSizeAs(naive.nodes());
        for (Node node : naive.nodes()) {
            NodeView view = Objects.requireNonNull(fast.nodes().find(node.id()));
            assertThat(view.facts()).as(when).isEqualTo(node);
            assertThat(Seen.of(view)).as(when).isEqualTo(Seen.of(node, naive));
        }
    }

    private static List<Job> listOf(Iterable<Job> jobs) {
        var list = new ArrayList<Job>();
        jobs.forEach(list::add);
        return list;
    }

    /// All that can be seen of a node.
    private record Seen(
            NodeId id,
            Object status,
            long free,
            long hot,
            long unfit,
            long milliCpu,
            long memoryMiB,
            int tasks,
            List<JobId> jobs) {
        static Seen of(NodeView view) {
            var jobs = new TreeSet<JobId>();
            view.jobs().forEach(jobs::add);
            return new Seen(
                    view.facts().id(),
                    view.status(),
                    view.freeGpus(),
                    view.hotGpus(),
                    view.unfitGpus(),
                    view.freeMilliCpu(),
                    view.freeMemoryMiB(),
                    view.tasks(),
                    List.copyOf(jobs));
        }

        static Seen of(Node node, NaiveLedger naive) {
            NodeId id = node.id();
            return new Seen(
                    id,
                    naive.status(id),
                    naive.freeGpus(id),
                    naive.hotGpus(id),
                    naive.unfitGpus(id),
                    naive.freeMilliCpu(id),
                    naive.freeMemoryMiB(id),
                    naive.tasks(id),
                    naive.jobsOn(id));
        }
    }
}

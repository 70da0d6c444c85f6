package io.gpusched.sim;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Jobs with deadlines beside a random script, drawn from a seed of their own. Some of the nodes
/// are spot capacity.
final class RandomDeadlines {
    private RandomDeadlines() {}

    /// The same cluster with the label `market` on every node.
    static Scenario cluster(long seed, RandomScenario.Mood mood) {
        Scenario cluster = RandomScenario.cluster(seed, mood);
        var nodes = new ArrayList<Node>();
        for (Node node : cluster.nodes()) {
            String market = nodes.size() % 2 == 0 ? "paid" : "spot";
            Labels labels = node.labels().with("market", market);
            nodes.add(
                    new Node(
                            node.id(),
                            node.agent(),
                            node.address(),
                            node.gpus(),
                            node.topology(),
                            node.host(),
                            node.taints(),
                            labels));
        }
        return new Scenario(
                cluster.name(),
                cluster.about(),
                cluster.start(),
                cluster.until(),
                cluster.scenarioPolicy(),
                cluster.clusterDelays(),
                nodes,
                cluster.tenants(),
                cluster.jobs(),
                cluster.workloads(),
                cluster.faults(),
                cluster.actions());
    }

    static List<RandomScenario.Entry> beside(
            long seed, Scenario cluster, List<RandomScenario.Entry> script) {
        var all = new ArrayList<>(script);
        var random = SeededRandom.of(seed, "deadlines", 0);
        price(all, "paid", 3_000_000, false, 0);
        // Until then no price of spot capacity is known.
        price(all, "spot", 1_000_000, true, random.pick(List.of(0, 0, 400)));
        for (int number = random.between(1, 6); number > 0; number--) {
            all.add(new RandomScenario.Entry.Job(job("deadline" + number, random, cluster)));
        }
        all.sort(Comparator.comparing(RandomScenario.Entry::at));
        return all;
    }

    private static void price(
            List<RandomScenario.Entry> all, String name, long price, boolean spot, int second) {
        var market = new Market("market", name, price, 400, spot);
        var at = Duration.ofSeconds(second);
        all.add(new RandomScenario.Entry.Deed(new UserAction.SetMarket(at, market)));
    }

    private static Arrival job(String name, SeededRandom random, Scenario cluster) {
        Duration work = Duration.ofSeconds(random.between(120, 5_400));
        Duration restart = Duration.ofSeconds(random.between(1, 240));
        Duration slack = Duration.ofSeconds(random.between(0, 7_200));
        var shape =
                Shape.of(
                        GpuRequest.whole(random.pick(List.of(1, 1, 2)), 0),
                        Resources.cores(1, 1024));
        JobSpec spec =
                JobSpec.builder(
                                random.pick(cluster.tenants()).id(),
                                List.of(Role.of(shape, random.pick(List.of(1, 1, 2)))))
                        .name(name)
                        .priority(random.pick(List.of(0, 100, 500)))
                        .onLoss(
                                new Interruption(
                                        Duration.ofSeconds(random.between(0, 30)), true, true))
                        .deadline(new JobDeadline(null, work.plus(slack), work, restart))
                        .build();
        // What it is thought to need is not always what it needs.
        Duration runs = work.multipliedBy(random.between(5, 12)).dividedBy(10);
        var at = Duration.ofSeconds(random.between(0, 3_600));
        return new Arrival(at, spec, random.chance(0.1), HiddenTruth.succeedsAfter(runs));
    }
}

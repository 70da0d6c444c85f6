package io.gpusched.core.cell;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// A changed label wakes the jobs whose placement may depend on it, and the decisions are the same
/// as when all jobs are tried.
final class LabelChangeTest {
    private static Report.Hello hello(Node node) {
        var agent = new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0);
        return new Report.Hello(agent, List.of(node), List.of());
    }

    private static NodeBuilder node(int number) {
        return aNode("n" + number).agent("a" + number).gpus(4);
    }

    private static long turns(Scene scene) {
        return Objects.requireNonNull(scene.last()).work().turns();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 2000})
    void onlyJobsThatChooseByLabelOrHaveSeveralTasksAreTriedAgain(int classes) {
        Scene scene = new Scene("priority");
        scene.tell(hello(node(1).build()));
        scene.submit(aJob().gpus(4).priority(5000));
        for (int priority = 1; priority <= classes; priority++) {
            scene.submit(aJob().gpus(4).priority(priority));
        }
        JobId byLabel = scene.submit(aJob().gpus(0).onNodesWith("rack", "r1"));
        JobId gang = scene.submit(aJob().gpus(2).tasks(2));
        scene.tell(hello(node(1).label("rack", "r2").build()));
        assertThat(turns(scene)).isLessThanOrEqualTo(2);
        assertThat(scene.phase(byLabel)).isEqualTo("Waiting");
        scene.tell(hello(node(1).label("rack", "r1").build()));
        assertThat(scene.where(byLabel)).startsWith("n1");
        assertThat(scene.phase(gang)).isEqualTo("Waiting");
        scene.tell(hello(node(1).label("rack", "r1").cores(100).build()));
        assertThat(turns(scene)).as("a larger node").isGreaterThanOrEqualTo(classes);
    }

    private static Scene scene(String policy, boolean wakeEverything) {
        return new Scene(
                policy,
                EngineSettings.builder().maxWaiting(1000).wakeEverything(wakeEverything).build());
    }

    private static Input anything(Random random, List<JobId> jobs) {
        if (random.nextInt(3) == 0) {
            NodeBuilder node = node(random.nextInt(6));
            node = random.nextInt(3) == 0 ? node : node.label("rack", "r" + random.nextInt(3));
            node = random.nextInt(3) == 0 ? node : node.label("disk", "d" + random.nextInt(2));
            return hello((random.nextInt(12) == 0 ? node.taint("t") : node).build());
        }
        if (random.nextInt(3) == 0 && !jobs.isEmpty()) {
            return new Command.Cancel(jobs.remove(random.nextInt(jobs.size())), "tester");
        }
        JobBuilder job = aJob().gpus(random.nextInt(5)).priority(100 * random.nextInt(4));
        job = random.nextInt(3) == 0 ? job.onNodesWith("rack", "r" + random.nextInt(3)) : job;
        job = random.nextInt(3) == 0 ? job.onNodesWith("disk", "d" + random.nextInt(2)) : job;
        job = random.nextInt(4) == 0 ? job.tasks(2) : job;
        job = random.nextInt(6) == 0 ? job.tasks(2).within("rack") : job;
        return new Command.Submit(job.spec(), "", 0, false, "tester");
    }

    @ParameterizedTest
    @ValueSource(strings = {"priority", "priority-strict", "fair", "fifo-conservative"})
    void theDecisionsAreThoseOfTryingEverything(String policy) {
        for (long seed = 1; seed <= 5; seed++) {
            var random = new Random(seed);
            Scene some = scene(policy, false);
            Scene all = scene(policy, true);
            var jobs = new ArrayList<JobId>();
            for (int step = 0; step < 150; step++) {
                Input input = anything(random, jobs);
                all.tell(input);
                if (some.tell(input) instanceof Answer.Accepted accepted
                        && accepted.job() != null
                        && input instanceof Command.Submit) {
                    jobs.add(accepted.job());
                }
                if (random.nextInt(5) == 0) {
                    Duration time = Duration.ofSeconds(random.nextInt(100));
                    some.passUnseen(time);
                    all.passUnseen(time);
                }
                assertThat(some.engine().digest())
                        .as("policy %s, seed %s, step %s", policy, seed, step)
                        .isEqualTo(all.engine().digest());
            }
        }
    }
}

package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Run;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How many starts an agent has open at a time, and how long they may take.
final class StartWindowTest {
    private static final AgentId CLUSTER = new AgentId("cluster");
    private static final Duration LONG = Duration.ofMinutes(30);

    private final Scene scene = Scene.with();

    private void join(int inFlight) {
        join(scene, inFlight);
    }

    private static void join(Scene where, int inFlight) {
        var nodes = new ArrayList<Node>();
        for (int number = 1; number <= 4; number++) {
            nodes.add(aNode("n" + number).agent("cluster").build());
        }
        var agent = new Agent(CLUSTER, Agent.Custody.EXTERNAL, inFlight, "uid", LONG);
        where.tell(new Report.Hello(agent, nodes, List.of()));
    }

    private List<String> phases(List<JobId> jobs) {
        return jobs.stream().map(scene::phase).toList();
    }

    private List<JobId> submit(int jobs) {
        var all = new ArrayList<JobId>();
        for (int number = 0; number < jobs; number++) {
            all.add(scene.submit(aJob()));
        }
        return all;
    }

    @Test
    void noMoreThanTheAgentWantsStartAtATime() {
        join(2);
        List<JobId> jobs = submit(4);
        assertThat(phases(jobs)).containsExactly("Starting", "Starting", "Waiting", "Waiting");
        assertThat(scene.explainer().explain(jobs.get(2)).toString())
                .contains(
                        "waits until agent cluster has started earlier jobs: 2 tasks not taken up"
                                + " yet, it takes 2 at a time");
        scene.tell(new Report.TaskPrepared(scene.run(jobs.get(1)).id(), 0));
        assertThat(phases(jobs)).containsExactly("Starting", "Starting", "Starting", "Waiting");
        scene.runs(jobs.getFirst());
        assertThat(phases(jobs)).containsExactly("Running", "Starting", "Starting", "Starting");
    }

    @Test
    void aStartThatEndsOrIsStoppedIsNotOpen() {
        join(1);
        List<JobId> jobs = submit(3);
        scene.ends(jobs.getFirst(), Exit.How.EXITED, 1);
        assertThat(phases(jobs).subList(1, 3)).containsExactly("Starting", "Waiting");
        scene.pass(LONG);
        assertThat(scene.phase(jobs.get(1))).as("not started in time").isEqualTo("Stopping");
        assertThat(scene.phase(jobs.get(2))).isEqualTo("Starting");
    }

    @Test
    void aGangThatIsLargerThanTheWindowStartsWhenNothingElseDoes() {
        join(2);
        JobId first = scene.submit(aJob());
        JobId gang = scene.submit(aJob().gpus(4).tasks(5));
        JobId behind = scene.submit(aJob());
        assertThat(scene.phase(gang)).isEqualTo("Waiting");
        assertThat(scene.phase(behind)).as("no job overtakes the gang").isEqualTo("Waiting");
        scene.runs(first);
        assertThat(scene.phase(gang)).isEqualTo("Starting");
        assertThat(scene.phase(behind)).isEqualTo("Waiting");
        Run run = scene.run(gang);
        for (int rank = 0; rank < 5; rank++) {
            scene.tell(new Report.TaskPrepared(run.id(), rank));
        }
        assertThat(scene.phase(behind)).isEqualTo("Starting");
    }

    @Test
    void anAgentWithoutAWindowTakesAnyNumber() {
        join(0);
        assertThat(phases(submit(6))).containsOnly("Starting");
    }

    @Test
    void anAgentMayGiveItsStartsMoreTime() {
        join(0);
        JobId job = scene.submit(aJob());
        scene.pass(LONG.minusSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
    }

    @ParameterizedTest
    @ValueSource(strings = {"priority", "fifo", "fair"})
    void aReplayAndAnImageHaveTheSameOpenStarts(String policyName) {
        var other = new Scene(policyName);
        join(other, 3);
        var jobs = new ArrayList<JobId>();
        for (JobBuilder job : List.of(aJob(), aJob().tasks(2).gpus(8), aJob(), aJob().tasks(6))) {
            jobs.add(other.submit(job));
        }
        other.tell(new Report.TaskPrepared(other.run(jobs.get(1)).id(), 1));
        int open = other.engine().state().openStarts().of(CLUSTER);
        assertThat(open).isEqualTo(3);
        var policy = other.engine().policy();
        var replayed = new Engine(policy, EngineSettings.DEFAULT);
        other.journal().replay(0, replayed::apply);
        assertThat(replayed.state().openStarts().of(CLUSTER)).isEqualTo(open);
        var restored = Engine.restore(other.engine().image(), policy, EngineSettings.DEFAULT);
        assertThat(restored.state().openStarts().of(CLUSTER)).isEqualTo(open);
        assertThat(restored.digest()).isEqualTo(other.engine().digest());
    }

    @Test
    void aWithdrawnStartCountsAgainstNobody() {
        join(1);
        JobId job = scene.submit(aJob().neverRequeued());
        var run = scene.run(job).id();
        scene.tell(new Report.StartWithdrawn(run, 0, "node is full", Duration.ofSeconds(3)));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(scene.job(job).losses() + scene.job(job).evictions()).isZero();
        assertThat(scene.job(job).avoids()).isEmpty();
        scene.pass(Duration.ofSeconds(2));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        for (int more = 0; more < 20; more++) {
            var again = scene.run(job).id();
            scene.tell(new Report.StartWithdrawn(again, 0, "node is full", Duration.ZERO));
            scene.pass(Duration.ofSeconds(1));
        }
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aGangOfWhichATaskIsWithdrawnReturnsWhole() {
        join(0);
        JobId job = scene.submit(aJob().gpus(8).tasks(2).neverRequeued());
        Run run = scene.run(job);
        scene.tell(new Report.TaskPrepared(run.id(), 0));
        scene.tell(new Report.StartWithdrawn(run.id(), 1, "pod deleted", Duration.ZERO));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        scene.tell(new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.STOPPED, 143, "")));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(scene.job(job).losses()).isZero();
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }
}

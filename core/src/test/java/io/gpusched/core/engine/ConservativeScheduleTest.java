package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.ScoreTerm;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/// Everybody near the front of the line is promised a place and a time.
final class ConservativeScheduleTest {
    private static Scene eightGpus() {
        var scene = new Scene("fifo-conservative");
        scene.join(aNode("n1").build());
        return scene;
    }

    private static Scene eightCoresWhereLowMakesWay() {
        var scene = new Scene("priority-conservative");
        scene.join(aNode("n1").cores(8).build());
        scene.tenant("low", 100, true);
        return scene;
    }

    private static JobBuilder gpus(int count, int minutes) {
        return aJob().gpus(count).limit(Duration.ofMinutes(minutes));
    }

    private static JobId started(Scene scene, JobBuilder job) {
        JobId id = scene.submit(job);
        scene.runs(id);
        return id;
    }

    /// Minutes from now until the job's promised start; null when it has no promise.
    private static @Nullable Long promised(Scene scene, JobId job) {
        Instant from = scene.explainer().explain(job).reserved();
        return from == null ? null : Duration.between(scene.now(), from).toMinutes();
    }

    private static long claimsMade(Scene scene) {
        var batches = new ArrayList<Batch>();
        scene.journal().replay(0, batches::add);
        return batches.stream()
                .flatMap(batch -> batch.decided().stream())
                .filter(Event.ClaimMade.class::isInstance)
                .count();
    }

    /// A start where it was promised says what spoke for the place, as every other does.
    @Test
    void whatDecidedIsRecordedOfAPromisedPlaceToo() {
        Scene scene = eightGpus();
        JobId first = started(scene, gpus(8, 60));
        JobId second = scene.submit(gpus(8, 30));
        scene.completes(first);
        assertThat(scene.where(second)).contains("n1");
        assertThat(ScoreTerm.read(because(scene, second)))
                .extracting(ScoreTerm::scorer)
                .isEqualTo(
                        ScoreTerm.read(because(scene, first)).stream()
                                .map(ScoreTerm::scorer)
                                .toList())
                .isNotEmpty();
    }

    private static String because(Scene scene, JobId job) {
        var batches = new ArrayList<Batch>();
        scene.journal().replay(0, batches::add);
        return batches.stream()
                .flatMap(batch -> batch.decided().stream())
                .filter(Event.AttemptPlaced.class::isInstance)
                .map(Event.AttemptPlaced.class::cast)
                .filter(placed -> placed.attempt().job().equals(job))
                .reduce("", (before, placed) -> placed.because(), (one, two) -> two);
    }

    @Test
    void everybodyWhoCannotStartIsPromisedATime() {
        Scene scene = eightGpus();
        started(scene, gpus(6, 60));
        JobId all = scene.submit(gpus(8, 30));
        JobId half = scene.submit(gpus(4, 60));
        JobId other = scene.submit(gpus(4, 30));
        JobId alike = scene.submit(gpus(4, 30));
        assertThat(promised(scene, all)).isEqualTo(60);
        assertThat(promised(scene, half)).isEqualTo(90);
        assertThat(promised(scene, other)).isEqualTo(90);
        assertThat(promised(scene, alike)).as("a second of the same kind").isEqualTo(120);
    }

    @Test
    void whoDelaysTheSecondInLineMayNotPass() {
        Scene scene = eightGpus();
        started(scene, gpus(4, 60));
        started(scene, gpus(2, 120));
        JobId first = scene.submit(gpus(4, 300));
        JobId second = scene.submit(gpus(4, 60));
        JobId passer = scene.submit(gpus(2, 240));
        JobId shorter = scene.submit(gpus(2, 120));
        assertThat(promised(scene, first)).isEqualTo(60);
        assertThat(promised(scene, second)).isEqualTo(120);
        assertThat(scene.phase(passer)).as("it needs what the second gets").isEqualTo("Waiting");
        assertThat(scene.phase(shorter)).as("it is gone by then").isEqualTo("Starting");

        var easy = new Scene("fifo");
        easy.join(aNode("n1").build());
        started(easy, gpus(4, 60));
        started(easy, gpus(2, 120));
        easy.submit(gpus(4, 300));
        easy.submit(gpus(4, 60));
        assertThat(easy.phase(easy.submit(gpus(2, 240)))).isEqualTo("Starting");
    }

    @Test
    void whoEndsEarlyMakesPromisesBetterAndNobodysWorse() {
        Scene scene = eightGpus();
        JobId running = started(scene, gpus(8, 120));
        JobId large = scene.submit(gpus(8, 60));
        JobId next = scene.submit(gpus(4, 60));
        JobId last = scene.submit(gpus(8, 60));
        assertThat(promised(scene, last)).isEqualTo(240);
        scene.pass(Duration.ofMinutes(10));
        scene.completes(running);
        assertThat(scene.phase(large)).isEqualTo("Starting");
        assertThat(promised(scene, next)).isEqualTo(60);
        assertThat(promised(scene, last)).isEqualTo(120);
        scene.tell(new Command.Cancel(next, "tester"));
        assertThat(promised(scene, last)).as("somebody left the line").isEqualTo(60);
    }

    @Test
    void whoComesAfterAJobForWhichRoomIsMadeIsPromisedATimeToo() {
        var scene = new Scene("priority-conservative");
        scene.join(aNode("n1").build());
        scene.tenant("low", 100, true);
        JobId victim = started(scene, gpus(8, 600).of("low").priority(1));
        JobId urgent = scene.submit(gpus(8, 60).priority(900));
        assertThat(scene.phase(victim)).startsWith("Stopping");
        JobId next = scene.submit(gpus(4, 60).priority(500));
        assertThat(promised(scene, next))
                .as("when the urgent one is over, if it starts as late as may be")
                .isBetween(60L, 65L);
        scene.ends(victim, Exit.How.STOPPED, 143);
        scene.runs(urgent);
        assertThat(promised(scene, next)).isEqualTo(60);
    }

    @Test
    void whatVictimsUseIsNotCountedTwiceWhenRoomIsMade() {
        Scene scene = eightCoresWhereLowMakesWay();
        JobId low = started(scene, gpus(1, 600).of("low").priority(1).cores(4));
        started(scene, gpus(1, 60).priority(800).cores(4));
        JobId all = scene.submit(gpus(1, 30).priority(700).cores(8));
        scene.submit(gpus(1, 1200).priority(600).cores(4));
        assertThat(promised(scene, all)).isEqualTo(600);
        assertThat(scene.phase(low))
                .as("if it left, its cores would still be promised from then on")
                .isEqualTo("Running");
    }

    @Test
    void whatOthersReturnIsCountedWhenRoomIsMade() {
        Scene scene = eightCoresWhereLowMakesWay();
        JobId low = started(scene, gpus(0, 600).of("low").priority(1).cores(4));
        started(scene, gpus(8, 60).priority(800).cores(4));
        JobId after = scene.submit(gpus(8, 60).priority(700).cores(4));
        scene.submit(gpus(0, 1200).priority(600).cores(4));
        assertThat(promised(scene, after)).isEqualTo(60);
        assertThat(scene.phase(low))
                .as("the one after takes what its predecessor returns")
                .startsWith("Stopping");
    }

    @Test
    void whatHoldsIsNotWrittenDownAgain() {
        Scene scene = eightGpus();
        started(scene, gpus(8, 60));
        for (int i = 0; i < 5; i++) {
            scene.submit(gpus(8, 60));
        }
        long made = claimsMade(scene);
        assertThat(made).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            scene.pass(Duration.ofMinutes(5));
            JobId impossible = scene.submit(gpus(1, 60).cores(1000));
            scene.tell(new Command.Cancel(impossible, "tester"));
        }
        assertThat(claimsMade(scene)).isEqualTo(made);
    }

    @Test
    void aLittleDelayChangesNoPromiseButALongOneDoes() {
        Scene scene = eightGpus();
        JobId running = started(scene, gpus(8, 60));
        JobId first = scene.submit(gpus(8, 60));
        JobId second = scene.submit(gpus(8, 60));
        long made = claimsMade(scene);
        scene.pass(Duration.ofMinutes(60).plusSeconds(20));
        scene.completes(running);
        scene.runs(first);
        assertThat(claimsMade(scene)).as("within a minute").isEqualTo(made);
        scene.pass(Duration.ofMinutes(70));
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        assertThat(promised(scene, second)).as("10 minutes late").isBetween(1L, 10L);
        scene.completes(first);
        assertThat(scene.phase(second)).isEqualTo("Starting");
    }

    @Test
    void aMoreImportantJobGoesBeforeThoseWhoHavePromises() {
        var scene = new Scene("priority-conservative");
        scene.join(aNode("n1").build());
        started(scene, gpus(8, 60).priority(1000));
        JobId plain = scene.submit(gpus(8, 60));
        JobId later = scene.submit(gpus(8, 60));
        JobId urgent = scene.submit(gpus(8, 30).priority(500));
        assertThat(promised(scene, urgent)).isEqualTo(60);
        assertThat(promised(scene, plain)).isEqualTo(90);
        assertThat(promised(scene, later)).isEqualTo(150);
    }

    @Test
    void coresArePromisedOnceForEachTime() {
        var scene = new Scene("fifo-conservative");
        scene.join(aNode("n1").cores(10).build());
        started(scene, gpus(0, 60).cores(6));
        JobId first = scene.submit(gpus(0, 60).cores(6));
        JobId second = scene.submit(gpus(0, 60).cores(6));
        assertThat(promised(scene, first)).isEqualTo(60);
        assertThat(promised(scene, second)).isEqualTo(120);
        JobId beside = scene.submit(gpus(0, 600).cores(4));
        assertThat(scene.phase(beside)).as("at no time more than 6 are used").isEqualTo("Starting");
        assertThat(scene.phase(scene.submit(gpus(0, 30).cores(1)))).isEqualTo("Waiting");
    }

    @Test
    void aNodeThatLeavesTakesItsPromisesWithIt() {
        var scene = new Scene("fifo-conservative");
        scene.join(aNode("n1").build(), aNode("n2").build());
        started(scene, gpus(8, 60));
        started(scene, gpus(8, 90));
        JobId first = scene.submit(gpus(8, 60));
        JobId second = scene.submit(gpus(8, 60));
        NodeId node = claim(scene, first).slots().getFirst().node();
        scene.tell(new Command.Cordon(node, "tester"));
        assertThat(claim(scene, first).slots().getFirst().node()).isNotEqualTo(node);
        assertThat(promised(scene, first)).isEqualTo(90);
        assertThat(promised(scene, second)).isEqualTo(150);
    }

    private static Claim claim(Scene scene, JobId job) {
        return scene.engine().state().claims().stream()
                .filter(claim -> claim.isFor(job))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onlyTheFirstHundredHavePromisesAndThoseBehindMayStartIfTheyDelayNobody() {
        Scene scene = eightGpus();
        started(scene, gpus(6, 60));
        for (int i = 0; i < 101; i++) {
            scene.submit(gpus(8, 60));
        }
        assertThat(scene.engine().state().claims()).hasSize(100);
        assertThat(scene.phase(scene.submit(gpus(2, 61)))).isEqualTo("Waiting");
        assertThat(scene.phase(scene.submit(gpus(2, 60)))).isEqualTo("Starting");
    }

    @Test
    void anotherPolicyKeepsOnePromiseAtMostAndBackAgain() {
        Scene scene = eightGpus();
        JobId running = started(scene, gpus(6, 60));
        JobId first = scene.submit(gpus(8, 60));
        scene.submit(gpus(8, 60));
        scene.tell(new Command.SetPolicy("fifo", "tester"));
        assertThat(scene.engine().state().claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.isFor(first)).isTrue());
        scene.tell(new Command.SetPolicy("fifo-conservative", "tester"));
        assertThat(scene.engine().state().claims()).hasSize(2);
        scene.ends(running, Exit.How.EXITED, 0);
        assertThat(scene.phase(first)).isEqualTo("Starting");
    }

    @Test
    void whereTheOrderIsNotALinePromisesCannotBeMade() {
        for (String name : new String[] {"fair", "spf", "srtf", "las"}) {
            assertThat(Policies.named(name + "-conservative", PolicySettings.DEFAULT)).isNull();
        }
        for (String name : Policies.NAMES) {
            assertThat(Policies.named(name, PolicySettings.DEFAULT)).as(name).isNotNull();
        }
    }
}

package io.gpusched.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.TimeValue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

final class CoreBenchesTest {
    @Test
    void theQueueKeepsItsLengthAndJobsOfEveryPriorityLeaveIt() {
        var pairs = new TablePairs();
        pairs.waiting = 1000;
        pairs.fill();
        pairs.prepare(2000);
        List<Job> arriving = List.copyOf(pairs.balanced().arriving);
        assertThat(pairs.pairs()).isEqualTo(2000);
        long[] left = pairs.balanced().left();
        assertThat(left).hasSize(2000).doesNotHaveDuplicates();
        assertThat(arriving)
                .filteredOn(job -> Arrays.stream(left).anyMatch(one -> one == job.id().number()))
                .anyMatch(job -> job.priority() < 50)
                .anyMatch(job -> job.priority() > 450);
    }

    @Test
    void theTableMakesNoDifferenceToTheOrderInWhichJobsLeave() {
        var alone = new QueuePairs();
        var withTable = new TablePairs();
        alone.fill();
        withTable.fill();
        alone.prepare(2000);
        withTable.prepare(2000);
        assertThat(alone.pairs()).isEqualTo(withTable.pairs());
        assertThat(alone.balanced().left()).isEqualTo(withTable.balanced().left());
    }

    @Test
    void allSubmissionsToAFullClusterAreAcceptedAndWait() {
        var submissions = new Submissions();
        submissions.prepare(4, 3);
        assertThat(submissions.submit()).isEqualTo(3 * Submissions.PER_CALL);
        assertThat(submissions.testbed().running()).isEqualTo(4);
    }

    @Test
    void everyChoiceIsAmongGpusOfWhichHalfAreKnown() {
        var scored = new ScoredCandidates();
        scored.learn();
        for (int i = 0; i < 100; i++) {
            assertThat(scored.score().penalty()).isPositive();
        }
    }

    @Test
    void aGangLooksAtEachNodeOnceAndAtItsOwnPlaces() {
        var gangs = new Gangs();
        gangs.prepare(800);
        gangs.submit();
        assertThat(gangs.decided().work().nodesLookedAt())
                .isLessThanOrEqualTo(800 + Gangs.TASKS + 10);
    }

    @Test
    void roomIsMadeWithoutASearchForEachVictim() {
        var reclaims = new Reclaims();
        reclaims.gpusPerTask = 8;
        reclaims.prepare(500);
        reclaims.submit();
        assertThat(reclaims.decided().work().nodesLookedAt())
                .as("at most three looks for each job that might leave")
                .isLessThan(3 * 500 * Testbed.GPUS_PER_NODE);
    }

    @Test
    void aClusterIsFilledToTheLastGpu() {
        var placements = new Placements();
        placements.prepare(10, 8);
        assertThat(placements.fill()).isEqualTo(80);
        assertThat(placements.testbed().work().nodesLookedAt()).isBetween(80L, 80L * 32);
        assertThat(placements.testbed().assignments()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aClusterIsFilledByEveryPlacementThatIsMeasured() {
        for (String placement : List.of("best-fit", "five-term")) {
            var scored = new ScoredPlacements();
            scored.placement = placement;
            scored.prepare();
            assertThat(scored.fill()).isEqualTo(80);
            assertThat(scored.testbed().work().candidatesScored()).isBetween(80L, 80L * 50);
        }
    }

    @Test
    void aBusyDayIsSimulatedFasterThanItPasses() {
        List<Figure> figures = new SimulationBench(Path.of("..")).run(Thoroughness.QUICK);
        assertThat(figures).hasSize(3).allMatch(figure -> figure.value() > 1);
    }

    @Test
    void anEpisodeIsPlayedAndItsWorkCounted() {
        List<Figure> figures = new EnvironmentBench().run(Thoroughness.QUICK);
        assertThat(figures).hasSize(4).allMatch(figure -> figure.value() > 0);
        assertThat(figures.get(2).value()).as("starts of 400 jobs").isLessThanOrEqualTo(400);
    }

    @Test
    void aModelRanksTheHeadsBeforeEachStart() {
        var rankings = new Rankings();
        rankings.prepare(10, 100);
        assertThat(rankings.rank()).isFinite();
        int before = rankings.running();
        for (int i = 0; i < 20; i++) {
            rankings.endOne();
        }
        assertThat(rankings.running()).isGreaterThan(before / 2);
        assertThat(rankings.work().rankings()).isPositive();
        assertThat(rankings.work().invalidRankings()).isZero();
    }

    @Test
    void aPolicyIsTrainedAndItsStepsCounted() {
        List<Figure> figures = new TrainingBench().run(Thoroughness.QUICK);
        assertThat(figures).hasSize(3).allMatch(figure -> figure.value() > 0);
    }

    @Test
    void aFullClusterIsFollowedByAnEmptyOne() {
        var decisions = new Decisions();
        decisions.onNodes(2);
        for (int job = 0; job < 2 * Testbed.GPUS_PER_NODE + 1; job++) {
            decisions.prepare();
            decisions.decide();
        }
        assertThat(decisions.testbed().running()).isEqualTo(1);
        assertThat(decisions.testbed().waiting()).isZero();
    }

    @Test
    void jmhFindsAndRunsABenchmark() throws Exception {
        var options =
                Jmh.options(QueuePairs.class, Thoroughness.QUICK)
                        .param("waiting", "1000")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementTime(TimeValue.milliseconds(1))
                        .build();
        assertThat(new Runner(options).run())
                .singleElement()
                .satisfies(run -> assertThat(run.getPrimaryResult().getScore()).isPositive());
    }
}

package io.gpusched.core.drive;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One node with one GPU; jobs come at a second each and run for so many.
final class InstantClusterTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /// A job that comes at a second and runs for some.
    private record Arrival(long at, long runs, JobBuilder job) {}

    /// What became of the jobs, a line each: the second, the job, and what it did.
    private static final class Story implements InstantCluster.Jobs {
        private final List<String> lines = new ArrayList<>();
        private final List<Batch> batches = new ArrayList<>();
        private final List<Arrival> coming;
        private final long grid;
        private final Driver driver;
        private int next;

        Story(long grid, Arrival... coming) {
            this.coming = List.of(coming);
            this.grid = grid;
            var policy = Policies.named("priority", EngineSettings.DEFAULT.policy());
            var engine = new Engine(Objects.requireNonNull(policy), EngineSettings.DEFAULT);
            var cluster = new InstantCluster(this);
            Cell cell =
                    Cell.detached(
                            engine,
                            (batch, cycleResult) -> {
                                batches.add(batch);
                                cluster.concluded(batch, cycleResult);
                            });
            driver = new Driver(cell, cluster, START);
            Node node = aNode("n1").gpus(1).build();
            driver.tell(
                    new Report.Hello(
                            new Agent(node.agent(), Agent.Custody.EXTERNAL, 0),
                            List.of(node),
                            List.of()));
            driver.tell(new Command.PutTenant(weak(), true, "test"));
            driver.decide();
            batches.clear();
        }

        private static Tenant weak() {
            return new Tenant(
                    new TenantId("weak"),
                    null,
                    Limits.ZERO,
                    Limits.NONE,
                    1,
                    new PreemptionRules(true, true, 0),
                    true,
                    Labels.NONE);
        }

        List<String> run() {
            while (driver.step()) {}
            return lines;
        }

        private void tell(Instant at, JobId job, String what) {
            lines.add(Duration.between(START, at).toSeconds() + " " + job.number() + " " + what);
        }

        @Override
        public @Nullable Instant nextArrival() {
            return next < coming.size() ? START.plusSeconds(coming.get(next).at) : null;
        }

        @Override
        public void arrive(Driver driver) {
            var submit = new Command.Submit(coming.get(next).job.spec(), "", 0, false, "test");
            driver.tell(submit, START.plusSeconds(coming.get(next++).at));
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            tell(now, job.id(), "starts");
            return Duration.ofSeconds(coming.get((int) job.id().number() - 1).runs);
        }

        @Override
        public void ended(JobId job, Instant at) {
            tell(at, job, "ends");
        }

        @Override
        public void stopped(JobId job, Instant now) {
            tell(now, job, "stops");
        }

        @Override
        public Instant noticedAt(Instant at) {
            long second = Duration.between(START, at).toSeconds();
            return START.plusSeconds(Math.ceilDiv(second, grid) * grid);
        }
    }

    @Test
    void jobsRunOneAfterTheOtherWhereThereIsRoomForOne() {
        var story = new Story(1, new Arrival(0, 100, aJob()), new Arrival(10, 50, aJob()));
        assertThat(story.run())
                .containsExactly("0 1 starts", "100 1 ends", "100 2 starts", "150 2 ends");
    }

    @Test
    void everythingOfOneInstantIsToldBeforeTheCellDecides() {
        var story =
                new Story(
                        1,
                        new Arrival(0, 100, aJob()),
                        new Arrival(100, 5, aJob()),
                        new Arrival(100, 5, aJob().priority(900)));
        assertThat(story.run())
                .as("at 100 a run ends and two jobs come, of which the more important starts")
                .containsExactly(
                        "0 1 starts",
                        "100 1 ends",
                        "100 3 starts",
                        "105 3 ends",
                        "105 2 starts",
                        "110 2 ends");
    }

    @Test
    void aPreemptedJobLeavesAtOnceAndItsFormerEndMeansNothing() {
        var story =
                new Story(
                        1,
                        new Arrival(0, 100, aJob().of("weak").grace(Duration.ZERO)),
                        new Arrival(10, 500, aJob().priority(900)));
        assertThat(story.run().subList(0, 5))
                .containsExactly(
                        "0 1 starts", "10 1 stops", "10 2 starts", "510 2 ends", "510 1 starts");
        assertThat(story.batches)
                .extracting(batch -> Duration.between(START, batch.at()).toSeconds())
                .as("nothing happens at 100")
                .doesNotContain(100L);
    }

    @Test
    void aSchedulerThatHearsOfThingsLateStillKnowsWhenTheyHappened() {
        var story = new Story(60, new Arrival(0, 100, aJob()), new Arrival(70, 50, aJob()));
        assertThat(story.run())
                .containsExactly("0 1 starts", "100 1 ends", "120 2 starts", "170 2 ends");
        assertThat(Objects.requireNonNull(story.driver.state().job(new JobId(2))).submitted())
                .isEqualTo(START.plusSeconds(70));
    }
}

package io.gpusched.lab.spot;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.NoJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// A trace through the production cell, with one spot node that comes and goes and one node on
/// demand, against the experiment's own loop over the same rule. The two differ in time only: the
/// cell decides every minute and ends a run in the minute in which its work is done, the experiment
/// every ten minutes.
final class DeadlineCellTest {
    private static final Path SAMPLE = Path.of("..", "samples", "spot");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobId JOB = new JobId(1);
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

    /// @param cost in dollars
    private record Outcome(double cost, boolean missed) {}

    @Test
    void theCellMeetsTheDeadlinesOfTheSampleAtTheCostOfTheExperiment() {
        DeadlineExperiment experiment = DeadlineExperiment.read(SAMPLE);
        DeadlineTraces traces = DeadlineTraces.read(SAMPLE);
        List<DeadlineCase> cases = experiment.cases(List.of());
        double cells = 0;
        double loops = 0;
        for (DeadlineCase one : cases) {
            DeadlineTraces.Trace trace = traces.of(one);
            DeadlineRun loop = DeadlineRun.of(one, trace, new RulePolicy(new DeadlineRule(8)));
            Outcome cell = new Drive(one, trace).run();
            assertThat(loop.missed()).as(one.key()).isFalse();
            assertThat(cell.missed()).as(one.key()).isFalse();
            assertThat(cell.cost()).as(one.key()).isBetween(0.75 * loop.cost(), 1.25 * loop.cost());
            cells += cell.cost();
            loops += loop.cost();
        }
        assertThat(cases).hasSizeGreaterThan(10);
        assertThat(cells / loops).isBetween(0.95, 1.05);
    }

    private static final class Drive implements Listener {
        private final DeadlineCase given;
        private final DeadlineTraces.Trace trace;
        private final Engine engine;
        private final Cell cell;
        private final Node paid;
        private final Node spot;
        private Instant now = START;
        private boolean open = true;
        private double cost;

        /// Work of earlier runs and of this run, in seconds; negative while the start lasts.
        private double done;

        private double run;

        Drive(DeadlineCase given, DeadlineTraces.Trace trace) {
            this.given = given;
            this.trace = trace;
            EngineSettings settings = EngineSettings.DEFAULT;
            this.engine =
                    new Engine(
                            Objects.requireNonNull(Policies.named("priority", settings.policy())),
                            settings);
            this.cell = new Cell(engine, new NoJournal(), assignment -> {}, this);
            Path scenario = Path.of("..", "scenarios", "deadline-on-spot.yaml");
            List<Node> nodes = ScenarioFile.read(scenario).nodes();
            this.paid = nodes.getFirst();
            this.spot = nodes.getLast();
        }

        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {}

        private void tell(Input input) {
            cell.handle(List.of(input), now);
        }

        Outcome run() {
            cell.takeCharge(1, "test", "test", now);
            for (Node node : List.of(paid, spot)) {
                var agent = new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0);
                tell(new Report.Hello(agent, List.of(node), List.of()));
            }
            price("paid", DeadlineRun.ON_DEMAND_PRICE, false);
            price("spot", DeadlineRun.SPOT_PRICE, true);
            look();
            tell(new Command.Submit(spec(), "", 0, false, "test"));
            Instant deadline = START.plusSeconds((long) given.deadline());
            while (true) {
                settle();
                Run present = job().phase().run();
                if (present != null) {
                    boolean isSpot = present.on().slots().getFirst().node().equals(spot.id());
                    double price = isSpot ? DeadlineRun.SPOT_PRICE : DeadlineRun.ON_DEMAND_PRICE;
                    cost += price / 60;
                    run += 60;
                }
                now = now.plus(MINUTE);
                look();
                if (done + Math.max(0, run) >= given.task() - 1e-6) {
                    return new Outcome(cost, now.isAfter(deadline));
                }
                cell.handle(List.of(), now);
            }
        }

        private void price(String value, double dollars, boolean isSpot) {
            long micros = Math.round(dollars * 1e6);
            tell(new Command.SetMarket(new Market("market", value, micros, 400, isSpot), ""));
        }

        private JobSpec spec() {
            var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 1024));
            var deadline =
                    new JobDeadline(
                            null,
                            Duration.ofSeconds((long) given.deadline()),
                            Duration.ofSeconds((long) given.task()),
                            Duration.ofSeconds((long) given.overhead()));
            return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                    .onLoss(new Interruption(Duration.ZERO, true, true))
                    .deadline(deadline)
                    .build();
        }

        /// The spot node is there in this tick or not.
        private void look() {
            int tick = (int) (Duration.between(START, now).toSeconds() / trace.tick());
            if (trace.has(tick) != open) {
                open = trace.has(tick);
                tell(
                        open
                                ? new Command.Uncordon(spot.id(), "market")
                                : new Command.Drain(spot.id(), true, "market"));
            }
        }

        /// Tasks start and stop at once.
        private void settle() {
            boolean changed = true;
            while (changed) {
                Phase before = job().phase();
                Run present = before.run();
                if (before instanceof Phase.Starting && present != null) {
                    run = -given.overhead();
                    tell(new Report.TaskRunning(present.id(), 0));
                } else if (before instanceof Phase.Stopping && present != null) {
                    done += Math.max(0, run);
                    run = 0;
                    var exit = new Exit(Exit.How.STOPPED, 143, "");
                    tell(new Report.TaskEnded(present.id(), 0, exit));
                }
                changed = !job().phase().equals(before);
            }
        }

        private Job job() {
            return Objects.requireNonNull(engine.state().job(JOB));
        }
    }
}

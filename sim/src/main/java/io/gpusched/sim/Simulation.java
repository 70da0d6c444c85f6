package io.gpusched.sim;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.cell.NoJournal;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.EventQueue;
import io.gpusched.core.drive.SimulatedCluster;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Policy;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.UserAction;
import io.gpusched.wire.codec.SettingsText;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/// Runs a scenario in simulated time: a [Driver] advances the time, simulated agents run simulated
/// tasks, and the network and the nodes fail as the scenario says.
///
/// The simulation ends when every job has ended and the script is done, when nothing can happen any
/// more, or at the time limit of the scenario.
public final class Simulation {
    /// The inputs that a simulation passed to its cell at one instant.
    public record Step(Instant now, List<Input> inputs) {
        public Step {
            inputs = List.copyOf(inputs);
        }
    }

    /// An action of the scenario that the scheduler refused.
    public record RefusedAction(Instant at, Input input, List<Problem> problems) {
        public RefusedAction {
            problems = List.copyOf(problems);
        }
    }

    private static final String BUILD = "simulation";
    private static final String BY = "scenario";
    /// After this many consecutive wake-ups without a decision, nothing will ever happen again.
    private static final int IDLE_WAKES = 100;

    private final Scenario scenario;
    private final Policy policy;
    private final EngineSettings settings;
    private final Journal journal;
    private final List<Listener> listeners;
    private final Instant horizon;
    private final EventQueue<SimEvent> events;
    private final World world;
    private final SimulatedLauncher launcher;
    private final FaultInjector faultInjector;
    private final Map<String, JobId> named = new HashMap<>();
    private Consumer<Step> watcher = step -> {};
    private Consumer<RefusedAction> complaints = refusedAction -> {};
    private final Driver driver;
    private final boolean hasDeadlines;
    private List<Input> told = List.of();
    private List<Answer> answers = List.of();
    private long term = 1;
    private long scriptLeft;
    private long live;
    private int idleWakes;

    /// @param listeners receive every batch, in this order
    public Simulation(
            Scenario scenario,
            Policy policy,
            EngineSettings settings,
            long seed,
            List<? extends Listener> listeners) {
        this.scenario = scenario;
        this.policy = policy;
        this.settings = settings;
        this.listeners = List.copyOf(listeners);
        List<Arrival> arrivals = scenario.arrivals(seed);
        this.horizon = scenario.horizon(arrivals);
        this.events = new EventQueue<>(horizon);
        this.world = new World(seed);
        var network = new Network(seed);
        this.journal = needsMemory(scenario) ? new MemoryJournal() : new NoJournal();
        var around =
                new SimContext(
                        events,
                        scenario.clusterDelays(),
                        scenario.scenarioPolicy().idle(),
                        scenario.scenarioPolicy().checkpointEvery(),
                        world,
                        new Occupancy(),
                        network);
        this.launcher = new SimulatedLauncher(scenario.nodes(), around, scenario.start());
        this.faultInjector = new FaultInjector(launcher, network, events);
        this.driver = new Driver(newCell(), new Scripted(), scenario.start());
        // Only jobs with deadlines are planned with leases.
        this.hasDeadlines = arrivals.stream().anyMatch(one -> one.spec().deadline() != null);
        planScript(arrivals);
    }

    private static boolean needsMemory(Scenario scenario) {
        return scenario.faults().stream().anyMatch(f -> f instanceof Fault.SchedulerRestarted);
    }

    private Cell newCell() {
        var engine = new Engine(policy, settings);
        return new Cell(engine, journal, launcher, this::concluded);
    }

    private void planScript(List<Arrival> arrivals) {
        for (Arrival arrival : arrivals) {
            plan(scenario.start().plus(arrival.at()), new SimEvent.Arrives(arrival));
        }
        for (Fault fault : scenario.faults()) {
            plan(scenario.start().plus(fault.at()), new SimEvent.FaultStarts(fault));
        }
        for (UserAction userAction : scenario.actions()) {
            plan(scenario.start().plus(userAction.at()), new SimEvent.Acts(userAction));
        }
    }

    private void plan(Instant at, SimEvent script) {
        scriptLeft++;
        events.plan(at, script);
    }

    /// Passes to `watcher` the inputs of each instant before the cell handles them.
    public void watch(Consumer<Step> watcher) {
        this.watcher = watcher;
    }

    /// Passes to `complaints` every action that the cell refuses.
    public void onRefusal(Consumer<RefusedAction> complaints) {
        this.complaints = complaints;
    }

    /// Runs to the end.
    public void run() {
        start();
        while (step()) {}
    }

    /// Takes charge of the cell, creates the tenants and lets the agents connect.
    public void start() {
        cell().takeCharge(term, BUILD, fingerprint(), now());
        var inputs = new ArrayList<Input>();
        for (Tenant tenant : scenario.tenants()) {
            inputs.add(new Command.PutTenant(tenant, true, BY));
        }
        if (hasDeadlines) {
            inputs.add(new Report.LeaseBound(scenario.clusterDelays().lease()));
        }
        tell(inputs);
        driver.decide();
        launcher.agents().forEach(agent -> agent.greet(now()));
    }

    private String fingerprint() {
        return SettingsText.write(policy.name(), settings, "");
    }

    /// Advances to the next instant at which something happens. Returns false if there is none.
    public boolean step() {
        Instant next = driver.next();
        return next != null && !next.isAfter(horizon) && !isOver() && driver.step();
    }

    private boolean isOver() {
        return (scriptLeft == 0 && live == 0) || (events.next() == null && idleWakes > IDLE_WAKES);
    }

    public Instant now() {
        return driver.now();
    }

    /// The end of the observed time, once no step is left: the time limit if more would have
    /// happened after it, else the last instant at which something happened.
    public Instant end() {
        Instant wake = cell().wakeAfter(now());
        boolean more = events.isCut() || (wake != null && wake.isAfter(horizon));
        return more && live > 0 ? horizon : now();
    }

    public Cell cell() {
        return driver.cell();
    }

    /// The agents, the network and the script, as the driver sees them.
    private final class Scripted implements SimulatedCluster {
        @Override
        public @Nullable Instant next(Driver driver) {
            return events.next();
        }

        @Override
        public void happen(Driver driver) {
            Simulation.this.happen();
        }

        @Override
        public boolean react(Driver driver) {
            hearAnswers();
            return false;
        }
    }

    private void happen() {
        Instant now = now();
        launcher.timeIs(now);
        var inputs = new ArrayList<Input>();
        var arrivals = new ArrayList<Arrival>();
        for (var what = events.poll(now); what != null; what = events.poll(now)) {
            happen(what, now, inputs, arrivals);
        }
        boolean any = !inputs.isEmpty() || !arrivals.isEmpty();
        if (driver.woken() || any) {
            idleWakes = any ? 0 : idleWakes + 1;
            arrivals.forEach(arrival -> inputs.add(submission(arrival)));
            tell(inputs);
            learn(arrivals);
        }
    }

    private void happen(SimEvent what, Instant now, List<Input> inputs, List<Arrival> arrivals) {
        switch (what) {
            case SimEvent.Arrives it -> {
                scriptLeft--;
                arrivals.add(it.arrival());
            }
            case SimEvent.Acts it -> {
                scriptLeft--;
                Input input = input(it.userAction());
                if (input != null) {
                    inputs.add(input);
                }
            }
            case SimEvent.FaultStarts it -> {
                scriptLeft--;
                strike(it.fault(), now);
            }
            case SimEvent.FaultEnds it -> faultInjector.mend(it.fault(), now);
            case SimEvent.Tells it -> inputs.add(it.report());
            case SimEvent.Delivers it -> launcher.deliver(it.assignment());
            case SimEvent.TaskDue it ->
                    launcher.agent(it.agent()).simulatedMachine().due(it.task(), it.timer(), now);
            case SimEvent.UseMeasured it ->
                    launcher.agent(it.agent())
                            .simulatedMachine()
                            .measured(it.task(), it.idleFor(), now);
            case SimEvent.ModelLoaded it ->
                    launcher.agent(it.agent()).loaded(it.node(), it.number(), now);
            case SimEvent.Reconnects it -> launcher.agent(it.agent()).reconnect(it.wayBack(), now);
            case SimEvent.LeaseEnds it -> {
                if (launcher.agent(it.agent()).isOut(it.outage())) {
                    launcher.agent(it.agent()).simulatedMachine().fence(now);
                }
            }
            case SimEvent.Missed it -> {
                if (launcher.agent(it.agent()).isOut(it.outage())) {
                    inputs.add(
                            it.fenced()
                                    ? new Report.Fenced(it.agent())
                                    : new Report.Silent(it.agent()));
                }
            }
        }
    }

    private void tell(List<Input> inputs) {
        watcher.accept(new Step(now(), inputs));
        told = inputs;
        answers = driver.tell(inputs);
    }

    /// Reports refused actions, and sends its assignment to an agent that connected.
    private void hearAnswers() {
        for (int i = 0; i < told.size(); i++) {
            if (answers.get(i) instanceof Answer.Rejected rejected) {
                complaints.accept(new RefusedAction(now(), told.get(i), rejected.problems()));
            } else if (told.get(i) instanceof Report.Hello hello) {
                cell().resend(hello.agent().id());
            }
        }
        told = List.of();
    }

    private void strike(Fault fault, Instant now) {
        if (fault instanceof Fault.SchedulerRestarted) {
            restartScheduler(now);
        } else {
            faultInjector.strike(fault, now);
        }
    }

    /// The scheduler crashes; another replays the journal and takes charge. Every connection
    /// breaks.
    private void restartScheduler(Instant now) {
        launcher.agents().forEach(agent -> agent.drop(now));
        Cell next = newCell();
        next.recover();
        next.takeCharge(++term, BUILD, fingerprint(), now);
        driver.replace(next);
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        batch.facts().forEach(this::count);
        batch.decided().forEach(this::count);
        listeners.forEach(listener -> listener.concluded(batch, cycleResult));
    }

    private void count(Event event) {
        switch (event) {
            case Event.JobSubmitted submitted -> live++;
            case Event.JobEnded ended -> {
                live--;
                world.forget(ended.job());
            }
            case Event.AttemptPlaced placed -> idleWakes = 0;
            default -> {}
        }
    }

    private static Command submission(Arrival arrival) {
        return new Command.Submit(arrival.spec(), "", 0, arrival.held(), BY);
    }

    /// The answers to submissions come last; their job numbers link jobs to their behaviour.
    private void learn(List<Arrival> arrivals) {
        int from = answers.size() - arrivals.size();
        for (int i = 0; i < arrivals.size(); i++) {
            Answer answer = answers.get(from + i);
            if (answer instanceof Answer.Accepted accepted && accepted.job() != null) {
                world.expect(accepted.job(), arrivals.get(i).hiddenTruth());
                named.put(arrivals.get(i).spec().name(), accepted.job());
            }
        }
    }

    /// The input of a user action; null if it concerns a job that was refused.
    private @Nullable Input input(UserAction userAction) {
        return switch (userAction) {
            case UserAction.Cancel a -> about(a.job(), job -> new Command.Cancel(job, BY));
            case UserAction.Hold a -> about(a.job(), job -> new Command.Hold(job, BY));
            case UserAction.Release a -> about(a.job(), job -> new Command.Release(job, BY));
            case UserAction.Reprioritise a ->
                    about(a.job(), job -> new Command.Reprioritise(job, a.priority(), BY));
            case UserAction.Cordon a -> new Command.Cordon(a.node(), BY);
            case UserAction.Uncordon a -> new Command.Uncordon(a.node(), BY);
            case UserAction.Drain a -> new Command.Drain(a.node(), a.evict(), BY);
            case UserAction.ChangeTenant a -> new Command.PutTenant(a.tenant(), false, BY);
            case UserAction.SetPolicy a -> new Command.SetPolicy(a.policy(), BY);
            case UserAction.SetMarket a -> new Command.SetMarket(a.market(), BY);
            case UserAction.PutForecast a -> new Command.PutForecast(a.forecast(), BY);
            case UserAction.RemoveForecast a -> new Command.RemoveForecast(a.region(), BY);
            case UserAction.PutPool a -> new Command.PutPool(a.pool(), BY);
            case UserAction.ScalePool a -> new Command.ScalePool(a.pool(), a.replicas(), "", BY);
            case UserAction.PutModel a -> new Command.PutModel(a.model(), BY);
            case UserAction.RemoveModel a -> new Command.RemoveModel(a.model(), false, BY);
            case UserAction.RemovePool a -> new Command.RemovePool(a.pool(), BY);
            case UserAction.ReportLoad a -> SimulatedGateway.report(a, driver.state());
        };
    }

    private @Nullable Command about(String name, Function<JobId, Command> command) {
        JobId job = named.get(name);
        return job == null ? null : command.apply(job);
    }
}

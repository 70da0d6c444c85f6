package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Regions;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.metrics.GridIntensity;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.metrics.RunMeter;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.UserAction;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A week in which jobs wait for clean power by forecasts that are renewed twice a day.
final class CarbonForecastRunTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SLACK = HOUR.multipliedBy(12);
    private static final Duration RENEWED = HOUR.multipliedBy(12);
    private static final int HOURS = 24 * 10;
    private static final int FORESEEN = 48;

    private record Outcome(double grams, Map<JobId, Duration> delays) {}

    /// Clean at noon.
    private static int grams(int hour) {
        double day = StrictMath.cos((hour % 24 - 12) * StrictMath.PI / 12);
        return (int) (300 - 180 * day + hour * 7919 % 23);
    }

    private static Scenario scenario(boolean shifts) {
        Scenario week =
                ScenarioFile.parse(
                        "week",
                        """
                        policy: {name: priority}
                        cluster: [{name: n, count: 6, gpus: 8xA100-80GB}]
                        workload:
                          - {count: 300, mean_gap: 30m, gpu_count: {1: 3, 4: 2, 8: 1}, priority: {0: 3, 60: 1}, runs: 90m, limit_factor: 2}
                        """);
        var actions = new ArrayList<UserAction>();
        for (int hour = 0; hour < HOURS; hour += (int) RENEWED.toHours()) {
            var foreseen = new ArrayList<Integer>();
            for (int i = 0; i < FORESEEN; i++) {
                foreseen.add(grams(hour + i));
            }
            Duration at = HOUR.multipliedBy(hour);
            Instant from = week.start().plus(at);
            actions.add(
                    new UserAction.PutForecast(
                            at, new RegionForecast(Regions.DEFAULT, from, HOUR, foreseen)));
        }
        var carbon = new CarbonPreference(SLACK, 0, List.of(), 50);
        var jobs = new ArrayList<Arrival>();
        for (Arrival arrival : week.arrivals(1)) {
            var spec = shifts ? arrival.spec().withCarbon(carbon) : arrival.spec();
            jobs.add(new Arrival(arrival.at(), spec, arrival.held(), arrival.hiddenTruth()));
        }
        return week.withWorkloads(List.of()).withScript(jobs, List.of(), actions);
    }

    private static Outcome run(boolean shifts) {
        Scenario scenario = scenario(shifts);
        var times = new ArrayList<Instant>();
        var values = new ArrayList<Double>();
        for (int hour = 0; hour < HOURS + FORESEEN; hour++) {
            times.add(scenario.start().plus(HOUR.multipliedBy(hour)));
            values.add((double) grams(hour));
        }
        var meter = new RunMeter(GridIntensity.steps(times, values), HOUR);
        var auditor = new Auditor();
        var submitted = new LinkedHashMap<JobId, Instant>();
        var delays = new LinkedHashMap<JobId, Duration>();
        Listener notes =
                (batch, cycleResult) -> {
                    for (Event event : batch.facts()) {
                        if (event instanceof Event.JobSubmitted e) {
                            submitted.put(e.job(), e.at());
                        }
                    }
                    for (Event event : batch.decided()) {
                        if (event instanceof Event.AttemptPlaced e) {
                            JobId job = e.attempt().job();
                            delays.putIfAbsent(job, Duration.between(submitted.get(job), e.at()));
                        }
                    }
                };
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of(auditor, meter, notes));
        simulation.run();
        auditor.settle();
        return new Outcome(meter.measured(simulation.end()).all().of(Metric.CARBON), delays);
    }

    @Test
    void gramsAreSavedAndNoJobIsDelayedBeyondItsSlack() {
        Outcome at = run(false);
        Outcome shifted = run(true);
        assertThat(shifted.delays()).hasSize(300).hasSameSizeAs(at.delays());
        assertThat(shifted.delays().values())
                .as("the cluster has room for all, so only carbon delays")
                .allSatisfy(delay -> assertThat(delay).isLessThanOrEqualTo(SLACK));
        assertThat(shifted.delays().values().stream().filter(d -> d.compareTo(HOUR) > 0).count())
                .as("many wait")
                .isGreaterThan(100);
        assertThat(shifted.grams() / at.grams())
                .as("grams, of those without shifting")
                .isLessThan(0.9);
    }
}

package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Sums up, event by event, what each tenant gets. Memory grows with the jobs that have not ended,
/// not with all jobs.
final class TenantAccounts {
    private static final double SECONDS_PER_HOUR = 3600;

    private static final class Live {
        final JobSpec spec;
        final Instant submitted;
        Instant since;
        boolean holds;
        Instant placed = Instant.MIN;
        boolean started;
        @Nullable Instant running;
        double dollarsPerHour;
        double kilowatts;

        Live(JobSpec spec, Instant submitted, Instant since) {
            this.spec = spec;
            this.submitted = submitted;
            this.since = since;
        }

        double hours(Instant now) {
            return hours(since, now);
        }

        private static double hours(Instant from, Instant to) {
            return Math.max(0, Duration.between(from, to).toMillis()) / 1e3 / SECONDS_PER_HOUR;
        }

        double gpus() {
            return spec.milliGpus() / 1000.0;
        }
    }

    private static final class Sums {
        long jobs;
        long started;
        long ended;
        long evictions;
        long losses;
        double held;
        double wasted;
        double missed;
        double dollars;
        double kilowattHours;
        DurationSketch durationSketch = new DurationSketch();
        DurationSketch completions = new DurationSketch();

        Sums copy() {
            var copy = new Sums();
            copy.jobs = jobs;
            copy.started = started;
            copy.ended = ended;
            copy.evictions = evictions;
            copy.losses = losses;
            copy.held = held;
            copy.wasted = wasted;
            copy.missed = missed;
            copy.dollars = dollars;
            copy.kilowattHours = kilowattHours;
            copy.durationSketch = durationSketch.copy();
            copy.completions = completions.copy();
            return copy;
        }

        void pass(Live job, Instant now) {
            double hours = job.hours(now);
            if (job.holds) {
                held += job.gpus() * hours;
                dollars += job.dollarsPerHour * hours;
                kilowattHours += job.kilowatts * hours;
            } else {
                missed += job.gpus() * hours;
            }
        }

        PeriodFigures.Group group(String name) {
            return new PeriodFigures.Group(
                    name,
                    jobs,
                    started,
                    ended,
                    durationSketch.mean(),
                    durationSketch.part(0.5),
                    durationSketch.part(0.9),
                    completions.mean(),
                    held,
                    wasted,
                    evictions,
                    losses,
                    dollars,
                    kilowattHours,
                    held + missed == 0 ? 1 : held / (held + missed));
        }
    }

    private final Duration every;
    private final Map<JobId, Live> live = new HashMap<>();
    private final TreeMap<TenantId, Sums> tenants = new TreeMap<>();
    private final Sums all = new Sums();
    private final Map<NodeId, Node> nodes = new HashMap<>();
    private final Map<String, Market> markets = new LinkedHashMap<>();

    /// @param every how often jobs that save their work do so
    TenantAccounts(Duration every) {
        this.every = every;
    }

    /// Adds the jobs of the ledger at the beginning.
    void begin(ClusterState state) {
        Instant from = state.lastAt();
        for (NodeView node : state.nodes().all()) {
            nodes.put(node.facts().id(), node.facts());
        }
        state.nodePrices().all().forEach(this::price);
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            if (job == null || job.ended()) {
                continue;
            }
            var taken = new Live(job.spec(), job.submitted(), from);
            taken.started = job.attempts() > 0;
            taken.running = job.phase().startedAt();
            var run = job.phase().run();
            if (run != null) {
                hold(taken, run.on(), run.placed());
            }
            live.put(job.id(), taken);
            count(job.spec(), sums -> sums.jobs++);
        }
    }

    void note(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> {
                live.put(e.job(), new Live(e.spec(), e.at(), e.at()));
                count(e.spec(), sums -> sums.jobs++);
            }
            case Event.AttemptPlaced e -> placed(e);
            case Event.AttemptRunning e -> {
                Live job = live.get(e.attempt().job());
                if (job != null) {
                    job.running = e.at();
                }
            }
            case Event.JobRequeued e -> requeued(e);
            case Event.JobEnded e -> ended(e);
            case Event.NodeJoined e -> nodes.put(e.node().id(), e.node());
            case Event.MarketChanged e -> price(e.market());
            default -> {}
        }
    }

    /// The figures if the period ended now. Changes nothing.
    PeriodFigures figures(Instant end) {
        var sums = new TreeMap<TenantId, Sums>();
        tenants.forEach((id, each) -> sums.put(id, each.copy()));
        Sums total = all.copy();
        for (Live job : live.values()) {
            for (Sums each : new Sums[] {total, sums.get(job.spec.tenant())}) {
                each.pass(job, end);
                Duration so = Duration.between(job.submitted, end);
                if (!job.started) {
                    each.durationSketch.add(so);
                }
                each.completions.add(so);
            }
        }
        var groups = new ArrayList<PeriodFigures.Group>();
        sums.forEach((id, each) -> groups.add(each.group(id.name())));
        return new PeriodFigures(total.group("all"), groups, PeriodFigures.jain(groups));
    }

    private void placed(Event.AttemptPlaced e) {
        Live job = live.get(e.attempt().job());
        if (job == null) {
            return;
        }
        count(job.spec, sums -> sums.pass(job, e.at()));
        job.since = e.at();
        hold(job, e.on(), e.at());
        if (!job.started) {
            job.started = true;
            Duration waited = Duration.between(job.submitted, e.at());
            count(
                    job.spec,
                    sums -> {
                        sums.started++;
                        sums.durationSketch.add(waited);
                    });
        }
    }

    private void requeued(Event.JobRequeued e) {
        Live job = live.get(e.job());
        if (job == null) {
            return;
        }
        // What is saved is of the whole run, so what is not must be too.
        double ran = job.holds ? Live.hours(job.placed, e.at()) : 0;
        double again = job.gpus() * (ran - saved(job, e));
        count(
                job.spec,
                sums -> {
                    sums.pass(job, e.at());
                    sums.wasted += Math.max(0, again);
                    sums.evictions += e.lost() ? 0 : 1;
                    sums.losses += e.lost() ? 1 : 0;
                });
        job.since = e.at();
        job.holds = false;
        job.running = null;
    }

    /// The hours of an ended run whose work was saved.
    private double saved(Live job, Event.JobRequeued e) {
        if (job.running == null) {
            return 0;
        }
        Duration ran = Duration.between(job.running, e.at());
        Duration saved = RecordedJob.saved(job.spec.onLoss(), ran, e.lost(), every);
        return saved.toMillis() / 1e3 / SECONDS_PER_HOUR;
    }

    private void ended(Event.JobEnded e) {
        Live job = live.remove(e.job());
        if (job == null) {
            return;
        }
        Duration took = Duration.between(job.submitted, e.at());
        count(
                job.spec,
                sums -> {
                    sums.pass(job, e.at());
                    sums.ended++;
                    sums.completions.add(took);
                    if (!job.started) {
                        sums.durationSketch.add(took);
                    }
                });
    }

    private interface Change {
        void of(Sums sums);
    }

    private void count(JobSpec spec, Change change) {
        change.of(all);
        change.of(tenants.computeIfAbsent(spec.tenant(), id -> new Sums()));
    }

    private void hold(Live job, Placement on, Instant placed) {
        job.holds = true;
        job.placed = placed;
        job.dollarsPerHour = 0;
        job.kilowatts = 0;
        double each = job.gpus() / on.slots().size();
        for (Slot slot : on.slots()) {
            Node node = nodes.get(slot.node());
            if (node == null || node.gpus().isEmpty()) {
                continue;
            }
            int first = Long.numberOfTrailingZeros(slot.grant().mask());
            Gpu gpu = node.gpus().get(first < node.gpus().size() ? first : 0);
            job.kilowatts += each * GpuDataSheet.of(gpu.model().family()).limitWatts() / 1000;
            job.dollarsPerHour += each * dollarsPerGpuHour(node);
        }
    }

    private void price(Market market) {
        markets.put(market.label() + "=" + market.value(), market);
    }

    /// The lowest price that applies to the node; 0 if there is none.
    private double dollarsPerGpuHour(Node node) {
        long least = Long.MAX_VALUE;
        for (Market market : markets.values()) {
            if (node.labels().value(market.label()).equals(market.value())) {
                least = Math.min(least, market.microDollarsPerGpuHour());
            }
        }
        return least == Long.MAX_VALUE ? 0 : least / 1e6;
    }
}

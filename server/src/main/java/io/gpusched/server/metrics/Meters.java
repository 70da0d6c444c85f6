package io.gpusched.server.metrics;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.StopCause;
import io.gpusched.server.cell.CellThread;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.view.PublicState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// Metrics that are counted and timed as events happen. [ClusterMeters] has the metrics of the
/// present state.
///
/// The registry renames metrics: a gauge may not end in `_total`, and a timer gets `_seconds`. So
/// jobs are a counter of transitions. Times are histograms of the underlying client library,
/// because the registry's own histograms have whole numbers as bounds and put all times below one
/// second into one bucket.
public final class Meters implements Follower.BatchListener, CellThread.CycleListener {
    private static final double NANOS = Duration.ofSeconds(1).toNanos();
    private static final double[] LATENCIES = {
        .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1
    };
    private static final double[] WAITS = {.1, .5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400};

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<PublicState, Counter> transitions = new EnumMap<>(PublicState.class);
    private final Counter preemptions;
    private final Counter idleStops;
    private final Counter batches;
    private final Counter events;
    private final Counter attempts;
    private final Counter successes;
    private final Histogram latency;
    private final Histogram publishedLatency;
    private final Histogram waits;
    private final Histogram appends;
    private final List<Counter> requests;

    public Meters() {
        for (PublicState state : PublicState.values()) {
            transitions.put(
                    state,
                    Counter.builder("gpu_scheduler_jobs")
                            .description("Transitions of jobs into a state.")
                            .tag("state", state.toString())
                            .register(registry));
        }
        preemptions = counter("gpu_scheduler_preemptions", "Runs preempted for another job.");
        idleStops = counter("gpu_scheduler_idle_stops", "Runs stopped because they used no GPU.");
        batches = counter("gpu_scheduler_batches", "Batches made durable.");
        events = counter("gpu_scheduler_events", "Events made durable.");
        attempts = counter("neuronetes_scheduler_attempts", "Tries to place a job in a cycle.");
        successes = counter("neuronetes_scheduler_success", "Tries that placed a job.");
        counter(
                "neuronetes_scheduler_topology_violations",
                "Placements against a required topology. The scheduler makes none.");
        publishedLatency =
                histogram(
                        "neuronetes_scheduler_latency_seconds",
                        "Time of one scheduling cycle, in seconds.",
                        LATENCIES);
        latency =
                histogram(
                        "gpu_scheduler_scheduling_latency",
                        "Time of one scheduling cycle, in seconds.",
                        LATENCIES);
        waits =
                histogram(
                        "gpu_scheduler_wait_seconds",
                        "Time from submission to placement, in seconds.",
                        WAITS);
        appends =
                histogram(
                        "gpu_scheduler_journal_append_seconds",
                        "Time to make a batch durable, in seconds.",
                        LATENCIES);
        requests =
                List.of(
                        requests("other"),
                        requests("1xx"),
                        requests("2xx"),
                        requests("3xx"),
                        requests("4xx"),
                        requests("5xx"));
        bindProcess();
    }

    @SuppressWarnings("resource") // The garbage collector's listener lives as long as the process.
    private void bindProcess() {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmGcMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /// Adds a gauge that is read at every scrape, and absent while its value is NaN.
    public void gauge(String name, String what, DoubleSupplier figure) {
        GaugeWithCallback.builder()
                .name(name)
                .help(what)
                .callback(
                        shown -> {
                            double value = orNaN(figure);
                            if (!Double.isNaN(value)) {
                                shown.call(value);
                            }
                        })
                .register(registry.getPrometheusRegistry());
    }

    /// Adds a gauge with one row per value of a label. The rows are read at every scrape.
    public void gauges(String name, String what, String label, Supplier<Map<String, Double>> rows) {
        GaugeWithCallback.builder()
                .name(name)
                .help(what)
                .labelNames(label)
                .callback(shown -> rows.get().forEach((of, value) -> shown.call(value, of)))
                .register(registry.getPrometheusRegistry());
    }

    /// A gauge that fails must not make the whole scrape fail.
    private static double orNaN(DoubleSupplier figure) {
        try {
            return figure.getAsDouble();
        } catch (RuntimeException unknown) {
            return Double.NaN;
        }
    }

    /// All metrics in Prometheus' text format.
    public String text() {
        return registry.scrape();
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void took(int inputs, long nanos) {
        if (inputs > 0) {
            latency.observe(nanos / NANOS);
            publishedLatency.observe(nanos / NANOS);
        }
    }

    @Override
    public void appended(long nanos) {
        appends.observe(nanos / NANOS);
    }

    /// Counts a request that was answered with `status`.
    public void answered(int status) {
        int hundreds = status / 100;
        requests.get(hundreds > 5 ? 0 : hundreds).increment();
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        attempts.increment((double) cycleResult.work().turns());
        batches.increment();
        events.increment(batch.size());
        batch.facts().forEach(event -> count(event, engine));
        batch.decided().forEach(event -> count(event, engine));
    }

    private void count(Event event, Engine engine) {
        switch (event) {
            case Event.JobSubmitted e -> entered(PublicState.PENDING);
            case Event.AttemptPlaced e -> {
                entered(PublicState.SCHEDULED);
                successes.increment();
                waited(e, engine);
            }
            case Event.AttemptRunning e -> entered(PublicState.RUNNING);
            case Event.AttemptStopping e -> {
                if (e.cause().kind() == StopCause.Kind.PREEMPTED) {
                    preemptions.increment();
                } else if (e.cause().kind() == StopCause.Kind.IDLE) {
                    idleStops.increment();
                }
            }
            case Event.JobRequeued e ->
                    entered(e.lost() ? PublicState.PENDING : PublicState.PREEMPTED);
            case Event.JobEnded e ->
                    entered(
                            switch (e.outcome().result()) {
                                case COMPLETED -> PublicState.COMPLETED;
                                case FAILED -> PublicState.FAILED;
                                case CANCELLED -> PublicState.CANCELLED;
                            });
            default -> {}
        }
    }

    private void waited(Event.AttemptPlaced placed, Engine engine) {
        Job job = engine.state().job(new JobId(placed.attempt().job().number()));
        if (job != null && placed.attempt().number() == 1) {
            waits.observe(Duration.between(job.submitted(), placed.at()).toMillis() / 1000.0);
        }
    }

    private void entered(PublicState state) {
        Counter counter = transitions.get(state);
        if (counter != null) {
            counter.increment();
        }
    }

    /// Adds to the number of changes of the policy.
    public void addPolicyChanges(String cause, int changes) {
        Counter.builder("gpu_scheduler_policy_changes")
                .description("Changes of the policy in force, by cause.")
                .tag("cause", cause)
                .register(registry)
                .increment(changes);
    }

    /// Counts what came of a message to a webhook.
    public void countDelivery(String webhook, String result) {
        Counter.builder("gpu_scheduler_alert_deliveries")
                .description("Messages to webhooks, by what came of them.")
                .tag("webhook", webhook)
                .tag("result", result)
                .register(registry)
                .increment();
    }

    private Counter requests(String status) {
        return Counter.builder("gpu_scheduler_http_requests")
                .description("Requests answered, by class of status.")
                .tag("status", status)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /// Adds a histogram, whose bounds may be fractions.
    Histogram histogram(String name, String description, double... bounds) {
        return Histogram.builder()
                .name(name)
                .help(description)
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .register(registry.getPrometheusRegistry());
    }
}

package io.gpusched.lab.compare;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.ClusterDelays;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.FileProblem;
import io.gpusched.sim.trace.OpenbReader;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.RequestReader;
import io.gpusched.sim.trace.ServingReader;
import io.gpusched.sim.trace.SwfReader;
import io.gpusched.sim.trace.Trace;
import io.gpusched.sim.trace.TraceJob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Makes a workload of a trace: its jobs arrive and run as recorded, on a cluster that the options
/// describe. Tasks start at once, and a preempted job keeps the work it has done, as simulators of
/// such traces assume.
public final class TraceWorkload {
    private static final Interruption KEEPS_WORK =
            new Interruption(Duration.ofSeconds(30), true, true);
    private static final ClusterDelays AT_ONCE =
            new ClusterDelays(
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ZERO,
                    ClusterDelays.DEFAULT.reconnect(),
                    ClusterDelays.DEFAULT.silent(),
                    ClusterDelays.DEFAULT.lease(),
                    ClusterDelays.DEFAULT.fenced());
    private static final Duration LONG = Duration.ofDays(36_500);

    /// How a trace is written.
    public enum Format {
        SWF,
        PHILLY,
        OPENB,
        ALIBABA_V2025,
        AZURE_LLM;

        Trace read(Path file) {
            return switch (this) {
                case SWF -> SwfReader.readAsWritten(file);
                case PHILLY -> PhillyReader.read(file);
                case OPENB -> OpenbReader.pods(file);
                case ALIBABA_V2025 -> ServingReader.read(file);
                case AZURE_LLM -> RequestReader.USUAL.read(file);
            };
        }
    }

    /// The cluster that a trace runs on.
    ///
    /// @param print a fingerprint of the cluster
    public record Cluster(List<Node> nodes, String print) {
        public Cluster {
            nodes = List.copyOf(nodes);
        }

        /// A number of equal nodes.
        public static Cluster of(int nodes, int gpus, String model, int cores) {
            var all = new ArrayList<Node>();
            for (int i = 1; i <= nodes; i++) {
                all.add(node("n" + i, gpus, GpuModel.parse(model), cores));
            }
            return new Cluster(all, nodes + "x" + gpus + " " + model + " " + cores);
        }

        private static Node node(String name, int gpus, GpuModel model, int cores) {
            var cards = new ArrayList<Gpu>();
            for (int i = 0; i < gpus; i++) {
                cards.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
            }
            return new Node(
                    new NodeId(name),
                    new AgentId(name),
                    "",
                    cards,
                    Topology.FLAT,
                    Resources.cores(cores, 16L * 1024 * cores),
                    List.of(),
                    Labels.NONE);
        }

        /// A list of nodes in the format of Alibaba's openb.
        public static Cluster read(Path file) {
            try {
                return new Cluster(
                        OpenbReader.nodes(file), Fingerprints.of(Files.readAllBytes(file)));
            } catch (BadTrace bad) {
                throw new ComparisonError(String.valueOf(bad.getMessage()));
            } catch (IOException e) {
                throw new ComparisonError(file + " cannot be read: " + FileProblem.with(e));
            }
        }

        private int gpusPerNode() {
            return nodes.stream().mapToInt(node -> node.gpus().size()).max().orElse(0);
        }

        private boolean holds(JobSpec spec) {
            long milliGpus = nodes.stream().mapToLong(node -> 1000L * node.gpus().size()).sum();
            return spec.milliGpus() <= milliGpus
                    && spec.roles().stream()
                            .allMatch(role -> tasks(role.shape(), role.min()) >= role.min());
        }

        /// The number of such tasks that fit on the empty cluster, counted up to a limit.
        private long tasks(Shape shape, int most) {
            long tasks = 0;
            for (Node node : nodes) {
                tasks += tasks(shape, node, most);
                if (tasks >= most) {
                    break;
                }
            }
            return tasks;
        }

        private static long tasks(Shape shape, Node node, long most) {
            long fit = node.gpus().stream().filter(gpu -> shape.acceptsModel(gpu.model())).count();
            long gpus =
                    switch (shape.gpus()) {
                        case GpuRequest.None none -> most;
                        case GpuRequest.Whole whole -> fit / whole.count();
                        case GpuRequest.Share share ->
                                fit < share.count()
                                        ? 0
                                        : fit * (1000 / share.milli()) / share.count();
                        case GpuRequest.Slice slice -> most;
                    };
            Resources asks = shape.host();
            long byCpu = asks.milliCpu() == 0 ? most : node.host().milliCpu() / asks.milliCpu();
            long byMemory =
                    asks.memoryMiB() == 0 ? most : node.host().memoryMiB() / asks.memoryMiB();
            return Math.min(gpus, Math.min(byCpu, byMemory));
        }
    }

    private final Cluster cluster;
    private final boolean blind;
    private final Consumer<String> remarks;

    /// @param blind whether jobs of a trace without time limits have none; otherwise their runtime
    ///        is known
    /// @param remarks receives warnings about the file, one sentence each
    public TraceWorkload(Cluster cluster, boolean blind, Consumer<String> remarks) {
        this.cluster = cluster;
        this.blind = blind;
        this.remarks = remarks;
    }

    /// Reads a trace.
    ///
    /// @param most the number of jobs to read, from the first; 0 for all
    public LabWorkload of(Path file, Format format, int most) {
        try {
            Trace trace = format.read(file);
            trace.remarks().forEach(remarks);
            String print =
                    Fingerprints.of(
                            Fingerprints.of(Files.readAllBytes(file)),
                            format.name(),
                            cluster.print,
                            blind ? "blind" : "",
                            "first " + most);
            String name = String.valueOf(file.getFileName()).replaceFirst("\\..*$", "");
            return new LabWorkload(name, scenario(name, trace), print, most);
        } catch (BadTrace bad) {
            throw new ComparisonError(String.valueOf(bad.getMessage()));
        } catch (IOException e) {
            throw new ComparisonError(file + " cannot be read: " + FileProblem.with(e));
        }
    }

    private Scenario scenario(String name, Trace trace) {
        Instant start = trace.jobs().getFirst().submitted();
        var tenants = new TreeMap<String, Tenant>();
        var arrivals = new ArrayList<Arrival>();
        int endless = 0;
        int tooLarge = 0;
        for (TraceJob job : trace.jobs()) {
            TenantId whose = job.tenant().isEmpty() ? Tenant.DEFAULT : new TenantId(job.tenant());
            JobSpec spec = told(job, spec(job, whose));
            if (job.runtime().isZero()) {
                endless++;
            } else if (!cluster.holds(spec)) {
                tooLarge++;
            } else {
                tenants.computeIfAbsent(whose.name(), id -> tenant(whose));
                Duration at = Duration.between(start, job.submitted());
                arrivals.add(
                        new Arrival(at, spec, false, HiddenTruth.succeedsAfter(job.runtime())));
            }
        }
        remark(trace, endless, "without a known runtime");
        remark(trace, tooLarge, "too large for the cluster");
        if (arrivals.isEmpty()) {
            throw new ComparisonError(
                    trace.file()
                            + " has no job that fits on this cluster; give more or larger nodes"
                            + " with --nodes");
        }
        return new Scenario(
                name,
                "Jobs of " + trace.file() + ".",
                start,
                LONG,
                ScenarioPolicy.DEFAULT.withCheckpoints(Duration.ZERO),
                AT_ONCE,
                cluster.nodes,
                List.copyOf(tenants.values()),
                arrivals,
                List.of(),
                List.of(),
                List.of());
    }

    private void remark(Trace trace, int jobs, String what) {
        if (jobs > 0) {
            remarks.accept(
                    "warning: "
                            + trace.file()
                            + ": left out "
                            + Plurals.of(jobs, "job")
                            + " "
                            + what);
        }
    }

    /// Rounds a limit up by at most 20 % to one of few values, as users do: jobs with equal limits
    /// share a class, so the scheduler need not look at each job of a long queue.
    private static Duration rounded(Duration runtime) {
        long minutes = runtime.toMinutes() + 1;
        long step = 1;
        while (minutes / step >= 10) {
            step *= 2;
        }
        return Duration.ofMinutes(Math.ceilDiv(minutes, step) * step);
    }

    /// The time limit of a job. If the trace has no limits, it is about the runtime, unless
    /// policies are blind. A job that ran longer than its limit is not cut short: its limit is then
    /// its runtime.
    private JobSpec spec(TraceJob job, TenantId whose) {
        Duration limit = blind || !job.limit().isZero() ? job.limit() : rounded(job.runtime());
        if (!limit.isZero() && limit.compareTo(job.runtime()) < 0) {
            limit = job.runtime();
        }
        return new TraceJob(
                        job.name(), job.tenant(), job.submitted(), job.runtime(), limit, job.ask())
                .spec(whose, Math.max(1, cluster.gpusPerNode()), KEEPS_WORK);
    }

    /// If the limit is the runtime, prediction cannot add anything.
    private JobSpec told(TraceJob job, JobSpec spec) {
        return blind || !job.limit().isZero()
                ? spec
                : spec.expecting(new RuntimeExpectation(spec.limit(), spec.limit()));
    }

    /// A tenant without limits whose jobs may be preempted.
    private static Tenant tenant(TenantId id) {
        Tenant usual = Tenant.unlimited(id);
        return new Tenant(
                id,
                null,
                usual.guaranteed(),
                usual.limit(),
                usual.weight(),
                new PreemptionRules(true, true, 0),
                true,
                usual.profile());
    }
}

package io.gpusched.sim.scenario;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigCard;
import io.gpusched.core.model.Near;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;
import io.gpusched.sim.generate.BenchmarkJobs;
import io.gpusched.sim.generate.BenchmarkWorkload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;

/// Reads jobs: those written one by one, and the recipes for those drawn by chance.
final class JobReader {
    private static final List<String> ARRIVALS = List.of("poisson", "bursty", "diurnal");
    private static final List<String> LENGTHS = List.of("log-normal", "heavy-tailed");

    private static final List<String> LOCALITIES =
            List.of("any", "same-node", "same-socket", "nvlink");

    private final TreeSet<String> tenants = new TreeSet<>();

    JobReader(List<Tenant> tenants) {
        this.tenants.add(Tenant.DEFAULT.name());
        tenants.forEach(tenant -> this.tenants.add(tenant.id().name()));
    }

    List<Arrival> jobs(List<Section> sections) {
        var jobs = new ArrayList<Arrival>();
        var names = new LinkedHashSet<String>();
        for (Section section : sections) {
            String name = section.text("name", "job" + (jobs.size() + 1));
            int copies = section.count("copies", 1, ScenarioFile.MOST_JOBS, 1);
            Arrival job = job(section, name);
            section.end();
            for (int i = 0; i < copies; i++) {
                if (copies == 1 && !names.add(name)) {
                    throw section.bad("name", "there is another job " + name);
                }
                jobs.add(job);
            }
        }
        return jobs;
    }

    private Arrival job(Section section, String name) {
        int tasks = section.count("tasks", 1, 1);
        int gpus = section.count("gpu_count", 0, 1);
        if (gpus % tasks != 0 || gpus / tasks > Gpu.MOST_PER_NODE) {
            throw section.bad(
                    "gpu_count",
                    "expected the GPUs of all %d tasks together, at most %d each, found %d"
                            .formatted(tasks, Gpu.MOST_PER_NODE, gpus));
        }
        var spec =
                new JobSpec(
                        name,
                        tenant(
                                section,
                                "tenant_id",
                                section.text("tenant_id", Tenant.DEFAULT.name())),
                        section.count("priority", Integer.MIN_VALUE, 0),
                        section.text("kind", name),
                        List.of(Role.of(shape(section, gpus / tasks), tasks)),
                        near(section),
                        section.duration("max_runtime", Duration.ZERO),
                        new Interruption(
                                section.duration("grace", Interruption.DEFAULT.grace()),
                                section.flag("checkpoint_enabled", false),
                                section.flag("requeue", true)),
                        Payload.NOTHING,
                        new Labels(section.pairs("labels")));
        var truth =
                new Truth(
                        section.duration("runs", Duration.ofMinutes(10)),
                        section.count("exit", 0, 0),
                        section.duration("stops_after", Truth.STOPS),
                        new Truth.Pause(
                                section.duration("idle_from", Duration.ZERO),
                                section.duration("idle_for", Duration.ZERO)));
        return new Arrival(
                section.duration("at", Duration.ZERO), spec, section.flag("held", false), truth);
    }

    /// Levels that all tasks should share, and those that they must.
    private static List<Near> near(Section section) {
        var near = new ArrayList<Near>();
        section.texts("near").forEach(level -> near.add(new Near(level, false)));
        section.texts("within").forEach(level -> near.add(new Near(level, true)));
        if (section.flag("same_node", false)) {
            near.add(new Near(Near.NODE, true));
        }
        return near;
    }

    /// Cores and memory are given for the whole job, like GPUs.
    private static Shape shape(Section section, int gpus) {
        int tasks = section.count("tasks", 1, 1);
        var host =
                new Resources(
                        section.amount("cpu_cores", tasks) * 1000 / tasks,
                        section.whole("memory_mb", 0, 0) / tasks);
        List<GpuModel> models = section.texts("gpu_model").stream().map(GpuModel::parse).toList();
        List<Toleration> tolerates =
                section.sections("tolerations").stream().map(JobReader::toleration).toList();
        return new Shape(
                request(section, gpus),
                host,
                models,
                new Labels(section.pairs("node_selector")),
                tolerates);
    }

    private static GpuRequest request(Section section, int gpus) {
        int memory = section.count("gpu_memory_mb", 0, 0);
        String profile = section.text("mig_profile", "");
        int percent = section.count("gpu_percent", 0, 0);
        String locality = section.text("gpu_locality", "any");
        int bandwidth = section.count("gpu_min_gbps", 0, 0);
        if (!profile.isEmpty() && MigCard.anyNamed(profile) == null) {
            throw section.bad(
                    "mig_profile",
                    "there is no profile "
                            + profile
                            + "; "
                            + Spelling.advice(profile, MigCard.profileNames()));
        }
        if (percent > 99) {
            throw section.bad("gpu_percent", "expected 1 to 99, found " + percent);
        }
        int at = LOCALITIES.indexOf(locality);
        if (at < 0) {
            throw section.bad("gpu_locality", Spelling.advice(locality, LOCALITIES));
        }
        if (gpus == 0 && (!profile.isEmpty() || percent > 0)) {
            throw section.bad(
                    "gpu_count", "expected at least 1 where parts of GPUs are asked for, found 0");
        }
        if (!profile.isEmpty()) {
            return GpuRequest.slices(profile, gpus);
        }
        if (percent > 0) {
            return GpuRequest.shares(percent * 10, memory, gpus);
        }
        return gpus == 0
                ? new GpuRequest.None()
                : new GpuRequest.Whole(gpus, memory, Locality.values()[at], bandwidth);
    }

    private static Toleration toleration(Section section) {
        var toleration =
                new Toleration(
                        section.text("key", ""),
                        !section.has("value"),
                        section.text("value", ""),
                        section.text("effect", ""));
        section.end();
        return toleration;
    }

    List<Drawn> workloads(List<Section> sections) {
        var workloads = new ArrayList<Drawn>();
        for (Section section : sections) {
            workloads.add(
                    section.has("benchmark")
                            ? benchmark(section, section.section("benchmark"))
                            : workload(section));
        }
        return workloads;
    }

    private static Benchmark benchmark(Section outer, Section section) {
        BenchmarkWorkload usual = BenchmarkWorkload.USUAL;
        Duration longest = section.duration("longest", BenchmarkJobs.time(usual.longest()));
        if (!longest.isPositive()) {
            throw section.bad("longest", "expected a time above zero, found 0");
        }
        var benchmark =
                new BenchmarkWorkload(
                        section.count("count", 1, ScenarioFile.MOST_JOBS, usual.jobs()),
                        section.count("gpus", 1, usual.clusterGpus()),
                        longest.toMillis() / 1000.0,
                        section.flag("all_at_once", false)
                                ? BenchmarkWorkload.Coming.ALL_AT_ZERO
                                : BenchmarkWorkload.Coming.BURSTY,
                        section.duration("span", BenchmarkJobs.time(usual.span())).toMillis()
                                / 1000.0);
        section.end();
        outer.end();
        return new Benchmark(benchmark);
    }

    private Workload workload(Section section) {
        SequencedMap<TenantId, Double> owners =
                section.weights(
                        "tenants", name -> tenant(section, "tenants", name), Tenant.DEFAULT);
        var workload =
                new Workload(
                        section.count("count", 1, ScenarioFile.MOST_JOBS, 100),
                        section.duration("from", Duration.ZERO),
                        arrivals(section),
                        owners,
                        section.weights("gpu_count", text -> number(section, "gpu_count", text), 1),
                        section.count("gpus_per_task", 1, 8),
                        section.weights("priority", text -> number(section, "priority", text), 0),
                        section.texts("gpu_model").stream().map(GpuModel::parse).toList(),
                        section.count("cpu_cores_per_gpu", 0, 1),
                        section.whole("memory_mb_per_gpu", 0, 0),
                        lengths(section),
                        section.decimal("limit_factor", 0, 1000, 2),
                        section.decimal("fails", 0, 1, 0),
                        section.decimal("checkpoints", 0, 1, 0));
        section.end();
        return workload;
    }

    private static Arrivals arrivals(Section section) {
        Duration gap = section.duration("mean_gap", Duration.ofMinutes(1));
        String kind = section.text("arrivals", "poisson");
        return switch (ARRIVALS.indexOf(kind)) {
            case 0 -> new Arrivals.Poisson(gap);
            case 1 ->
                    new Arrivals.Bursty(
                            gap,
                            section.decimal("burst_factor", 1, 1000, 10),
                            section.decimal("burst_share", 0.001, 0.999, 0.1),
                            section.duration("burst_length", Duration.ofMinutes(30)));
            case 2 -> new Arrivals.Diurnal(gap, section.decimal("swing", 0, 1, 0.8));
            default -> throw unknown(section, "arrivals", kind, ARRIVALS);
        };
    }

    private static Lengths lengths(Section section) {
        Duration median = section.duration("runs", Duration.ofMinutes(20));
        String kind = section.text("lengths", "log-normal");
        return switch (LENGTHS.indexOf(kind)) {
            case 0 -> new Lengths.LogNormal(median, section.decimal("spread", 1, 100, 2.5));
            case 1 -> {
                Duration longest = section.duration("longest", Duration.ofDays(7));
                if (median.compareTo(longest) > 0) {
                    throw section.bad("longest", "expected at least runs, found less");
                }
                yield new Lengths.HeavyTailed(
                        median, section.decimal("tail", 0.1, 100, 1.1), longest);
            }
            default -> throw unknown(section, "lengths", kind, LENGTHS);
        };
    }

    private static BadScenario unknown(
            Section section, String key, String found, List<String> known) {
        return section.bad(key, "expected one of " + String.join(", ", known) + ", found " + found);
    }

    private TenantId tenant(Section section, String key, String name) {
        if (!tenants.contains(name)) {
            throw section.bad(
                    key, "there is no tenant " + name + "; " + Spelling.advice(name, tenants));
        }
        return new TenantId(name);
    }

    private static int number(Section section, String key, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw section.bad(key, "expected a whole number, found " + text);
        }
    }
}

package io.gpusched.sim.scenario;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;
import io.gpusched.sim.generate.BenchmarkJobs;
import io.gpusched.sim.generate.BenchmarkWorkload;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;

/// Reads the jobs of a scenario: listed jobs, and workloads to generate.
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

    List<Arrival> jobs(List<YamlSection> sections) {
        var jobs = new ArrayList<Arrival>();
        var names = new LinkedHashSet<String>();
        for (YamlSection yamlSection : sections) {
            String name = yamlSection.text("name", "job" + (jobs.size() + 1));
            int copies = yamlSection.count("copies", 1, ScenarioFile.MOST_JOBS, 1);
            Arrival job = job(yamlSection, name);
            yamlSection.end();
            for (int i = 0; i < copies; i++) {
                if (copies == 1 && !names.add(name)) {
                    throw yamlSection.bad("name", "there is another job " + name);
                }
                jobs.add(job);
            }
        }
        return jobs;
    }

    private Arrival job(YamlSection yamlSection, String name) {
        int tasks = yamlSection.count("tasks", 1, 1);
        int gpus = yamlSection.count("gpu_count", 0, 1);
        if (gpus % tasks != 0 || gpus / tasks > Gpu.MOST_PER_NODE) {
            throw yamlSection.bad(
                    "gpu_count",
                    "expected the GPUs of all %d tasks together, at most %d each, found %d"
                            .formatted(tasks, Gpu.MOST_PER_NODE, gpus));
        }
        TenantId tenant =
                tenant(
                        yamlSection,
                        "tenant_id",
                        yamlSection.text("tenant_id", Tenant.DEFAULT.name()));
        int priority = yamlSection.count("priority", Integer.MIN_VALUE, 0);
        String kind = yamlSection.text("kind", name);
        var spec =
                JobSpec.builder(tenant, List.of(Role.of(shape(yamlSection, gpus / tasks), tasks)))
                        .name(name)
                        .priority(priority)
                        .kind(kind)
                        .near(near(yamlSection))
                        .limit(yamlSection.duration("max_runtime", Duration.ZERO))
                        .onLoss(
                                new Interruption(
                                        yamlSection.duration("grace", Interruption.DEFAULT.grace()),
                                        yamlSection.flag("checkpoint_enabled", false),
                                        yamlSection.flag("requeue", true)))
                        .labels(new Labels(yamlSection.pairs("labels")))
                        .deadline(deadline(yamlSection))
                        .carbon(carbon(yamlSection.section("carbon")))
                        .build();
        var hiddenTruth =
                new HiddenTruth(
                        yamlSection.duration("runs", Duration.ofMinutes(10)),
                        yamlSection.count("exit", 0, 0),
                        yamlSection.duration("stops_after", HiddenTruth.STOPS),
                        new HiddenTruth.Pause(
                                yamlSection.duration("idle_from", Duration.ZERO),
                                yamlSection.duration("idle_for", Duration.ZERO)));
        return new Arrival(
                yamlSection.duration("at", Duration.ZERO),
                spec,
                yamlSection.flag("held", false),
                hiddenTruth);
    }

    /// The deadline, counted from the submission; null if the job has none.
    private static @Nullable JobDeadline deadline(YamlSection yamlSection) {
        Duration within = yamlSection.duration("deadline", Duration.ZERO);
        Duration work = yamlSection.duration("work", Duration.ZERO);
        Duration restart = yamlSection.duration("restart_cost", Duration.ZERO);
        return within.isZero() ? null : new JobDeadline(null, within, work, restart);
    }

    private static CarbonPreference carbon(YamlSection yamlSection) {
        var carbon =
                new CarbonPreference(
                        yamlSection.has("shift") ? yamlSection.duration("shift") : null,
                        yamlSection.count("max_intensity", 0, 0),
                        yamlSection.texts("preferred_regions"),
                        CarbonPreference.NONE.upToPriority());
        yamlSection.end();
        return carbon;
    }

    /// Topology levels that all tasks should share, and those that they must share.
    private static List<Proximity> near(YamlSection yamlSection) {
        var near = new ArrayList<Proximity>();
        yamlSection.texts("near").forEach(level -> near.add(new Proximity(level, false)));
        yamlSection.texts("within").forEach(level -> near.add(new Proximity(level, true)));
        if (yamlSection.flag("same_node", false)) {
            near.add(new Proximity(Proximity.NODE, true));
        }
        return near;
    }

    /// Cores and memory are given for the whole job, like GPUs.
    private static Shape shape(YamlSection yamlSection, int gpus) {
        int tasks = yamlSection.count("tasks", 1, 1);
        var host =
                new Resources(
                        yamlSection.amount("cpu_cores", tasks) * 1000 / tasks,
                        yamlSection.whole("memory_mb", 0, 0) / tasks);
        List<GpuModel> models =
                yamlSection.texts("gpu_model").stream().map(GpuModel::parse).toList();
        List<Toleration> tolerates =
                yamlSection.sections("tolerations").stream().map(JobReader::toleration).toList();
        return new Shape(
                request(yamlSection, gpus),
                host,
                models,
                new Labels(yamlSection.pairs("node_selector")),
                tolerates);
    }

    private static GpuRequest request(YamlSection yamlSection, int gpus) {
        int memory = yamlSection.count("gpu_memory_mb", 0, 0);
        String profile = yamlSection.text("mig_profile", "");
        int percent = yamlSection.count("gpu_percent", 0, 0);
        String locality = yamlSection.text("gpu_locality", "any");
        int bandwidth = yamlSection.count("gpu_min_gbps", 0, 0);
        if (!profile.isEmpty() && MigGpuModel.anyNamed(profile) == null) {
            throw yamlSection.bad(
                    "mig_profile",
                    "there is no profile "
                            + profile
                            + "; "
                            + UnknownWord.advice(profile, MigGpuModel.profileNames()));
        }
        if (percent > 99) {
            throw yamlSection.bad("gpu_percent", "expected 1 to 99, found " + percent);
        }
        int at = LOCALITIES.indexOf(locality);
        if (at < 0) {
            throw yamlSection.bad("gpu_locality", UnknownWord.advice(locality, LOCALITIES));
        }
        if (gpus == 0 && (!profile.isEmpty() || percent > 0)) {
            throw yamlSection.bad(
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

    private static Toleration toleration(YamlSection yamlSection) {
        var toleration =
                new Toleration(
                        yamlSection.text("key", ""),
                        !yamlSection.has("value"),
                        yamlSection.text("value", ""),
                        yamlSection.text("effect", ""));
        yamlSection.end();
        return toleration;
    }

    List<GeneratedJobs> workloads(List<YamlSection> sections) {
        var workloads = new ArrayList<GeneratedJobs>();
        for (YamlSection yamlSection : sections) {
            workloads.add(
                    yamlSection.has("benchmark")
                            ? benchmark(yamlSection, yamlSection.section("benchmark"))
                            : workload(yamlSection));
        }
        return workloads;
    }

    private static Benchmark benchmark(YamlSection outer, YamlSection yamlSection) {
        BenchmarkWorkload usual = BenchmarkWorkload.USUAL;
        Duration longest = yamlSection.duration("longest", BenchmarkJobs.time(usual.longest()));
        if (!longest.isPositive()) {
            throw yamlSection.bad("longest", "expected a time above zero, found 0");
        }
        var benchmark =
                new BenchmarkWorkload(
                        yamlSection.count("count", 1, ScenarioFile.MOST_JOBS, usual.jobs()),
                        yamlSection.count("gpus", 1, usual.clusterGpus()),
                        longest.toMillis() / 1000.0,
                        yamlSection.flag("all_at_once", false)
                                ? BenchmarkWorkload.Spacing.ALL_AT_ZERO
                                : BenchmarkWorkload.Spacing.BURSTY,
                        yamlSection.duration("span", BenchmarkJobs.time(usual.span())).toMillis()
                                / 1000.0);
        yamlSection.end();
        outer.end();
        return new Benchmark(benchmark);
    }

    private GeneratedWorkload workload(YamlSection yamlSection) {
        SequencedMap<TenantId, Double> owners =
                yamlSection.weights(
                        "tenants", name -> tenant(yamlSection, "tenants", name), Tenant.DEFAULT);
        var generatedWorkload =
                new GeneratedWorkload(
                        yamlSection.count("count", 1, ScenarioFile.MOST_JOBS, 100),
                        yamlSection.duration("from", Duration.ZERO),
                        arrivals(yamlSection),
                        owners,
                        yamlSection.weights(
                                "gpu_count", text -> number(yamlSection, "gpu_count", text), 1),
                        yamlSection.count("gpus_per_task", 1, 8),
                        yamlSection.weights(
                                "priority", text -> number(yamlSection, "priority", text), 0),
                        yamlSection.texts("gpu_model").stream().map(GpuModel::parse).toList(),
                        yamlSection.count("cpu_cores_per_gpu", 0, 1),
                        yamlSection.whole("memory_mb_per_gpu", 0, 0),
                        lengths(yamlSection),
                        yamlSection.decimal("limit_factor", 0, 1000, 2),
                        yamlSection.decimal("fails", 0, 1, 0),
                        yamlSection.decimal("checkpoints", 0, 1, 0));
        yamlSection.end();
        return generatedWorkload;
    }

    private static Arrivals arrivals(YamlSection yamlSection) {
        Duration gap = yamlSection.duration("mean_gap", Duration.ofMinutes(1));
        String kind = yamlSection.text("arrivals", "poisson");
        return switch (ARRIVALS.indexOf(kind)) {
            case 0 -> new Arrivals.Poisson(gap);
            case 1 ->
                    new Arrivals.Bursty(
                            gap,
                            yamlSection.decimal("burst_factor", 1, 1000, 10),
                            yamlSection.decimal("burst_share", 0.001, 0.999, 0.1),
                            yamlSection.duration("burst_length", Duration.ofMinutes(30)));
            case 2 -> new Arrivals.Diurnal(gap, yamlSection.decimal("swing", 0, 1, 0.8));
            default -> throw unknown(yamlSection, "arrivals", kind, ARRIVALS);
        };
    }

    private static RuntimeDistribution lengths(YamlSection yamlSection) {
        Duration median = yamlSection.duration("runs", Duration.ofMinutes(20));
        String kind = yamlSection.text("lengths", "log-normal");
        return switch (LENGTHS.indexOf(kind)) {
            case 0 ->
                    new RuntimeDistribution.LogNormal(
                            median, yamlSection.decimal("spread", 1, 100, 2.5));
            case 1 -> {
                Duration longest = yamlSection.duration("longest", Duration.ofDays(7));
                if (median.compareTo(longest) > 0) {
                    throw yamlSection.bad("longest", "expected at least runs, found less");
                }
                yield new RuntimeDistribution.HeavyTailed(
                        median, yamlSection.decimal("tail", 0.1, 100, 1.1), longest);
            }
            default -> throw unknown(yamlSection, "lengths", kind, LENGTHS);
        };
    }

    private static BadScenario unknown(
            YamlSection yamlSection, String key, String found, List<String> known) {
        return yamlSection.bad(
                key, "expected one of " + String.join(", ", known) + ", found " + found);
    }

    private TenantId tenant(YamlSection yamlSection, String key, String name) {
        if (!tenants.contains(name)) {
            throw yamlSection.bad(
                    key, "there is no tenant " + name + "; " + UnknownWord.advice(name, tenants));
        }
        return new TenantId(name);
    }

    private static int number(YamlSection yamlSection, String key, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw yamlSection.bad(key, "expected a whole number, found " + text);
        }
    }
}

package io.gpusched.sim.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Reads scenarios from YAML. Keys that exist in the REST API have the same name and meaning here;
/// unknown keys are refused with a suggestion.
///
///     cluster: [{name: n, count: 2, gpus: 8xA100-80GB}]
///     jobs:    [{name: train, gpu_count: 8, runs: 40m}]
public final class ScenarioFile {
    /// More of them in one entry are a typing error, and would fill the memory before the error is
    /// reported.
    public static final int MOST_JOBS = 5_000_000;

    static final int MOST_NODES = 100_000;

    private static final YAMLMapper YAML =
            YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

    private ScenarioFile() {}

    public static Scenario read(Path file) {
        String fileName = String.valueOf(file.getFileName());
        try {
            String name = fileName.replaceFirst("\\.ya?ml$", "");
            return parse(name, Files.readString(file), file.resolveSibling(""));
        } catch (NoSuchFileException e) {
            throw new BadScenario("", "there is no file " + file);
        } catch (IOException e) {
            throw new BadScenario("", "the file cannot be read: " + FileProblem.with(e));
        }
    }

    public static Scenario parse(String name, String text) {
        return parse(name, text, Path.of(""));
    }

    /// @param folder the directory of files that the scenario names
    private static Scenario parse(String name, String text, Path folder) {
        var top = new YamlSection("", tree(text));
        String about = top.text("about", "");
        Instant start = start(top);
        @Nullable Duration until = top.durationOrNull("until");
        ScenarioCarbon carbon = CarbonReader.rules(top.section("carbon"), start, folder);
        ScenarioPolicy scenarioPolicy = rules(top.section("policy")).withCarbon(carbon);
        ClusterDelays clusterDelays = timing(top.section("timing"));
        List<Node> nodes = NodeReader.nodes(top.sections("cluster"));
        List<Tenant> tenants = tenants(top.sections("tenants"));
        var jobReader = new JobReader(tenants);
        List<Arrival> jobs = jobReader.jobs(top.sections("jobs"));
        List<GeneratedJobs> workloads = jobReader.workloads(top.sections("workload"));
        var script = new ScriptReader(nodes, tenants, jobs, start);
        List<Fault> faults = script.faults(top.sections("faults"));
        List<UserAction> actions = script.actions(top.sections("actions"));
        top.end();
        if (nodes.isEmpty()) {
            throw new BadScenario("cluster", "expected at least one group of nodes, found none");
        }
        return new Scenario(
                name,
                about,
                start,
                until,
                scenarioPolicy,
                clusterDelays,
                nodes,
                tenants,
                jobs,
                workloads,
                faults,
                actions);
    }

    private static JsonNode tree(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String where = at == null ? "" : "line " + at.getLineNr();
            throw new BadScenario(where, "not YAML: " + e.getOriginalMessage());
        }
    }

    private static Instant start(YamlSection top) {
        String text = top.text("start", Scenario.DEFAULT_START.toString());
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw top.bad("start", "expected a time such as 2026-01-05T00:00:00Z, found " + text);
        }
    }

    private static ScenarioPolicy rules(YamlSection yamlSection) {
        ScenarioPolicy otherwise = ScenarioPolicy.DEFAULT;
        var scenarioPolicy =
                new ScenarioPolicy(
                        yamlSection.text("name", otherwise.policy()),
                        yamlSection.decimal(
                                "points_per_minute", 0, 1e6, otherwise.pointsPerMinute()),
                        yamlSection.flag("preemption", otherwise.preemption()),
                        yamlSection.flag("thermal", otherwise.thermal()),
                        yamlSection.duration("assumed_runtime", otherwise.assumed()),
                        yamlSection.duration("checkpoint_interval", otherwise.checkpointEvery()),
                        new PlacementSettings(
                                yamlSection.text("placement", otherwise.placement().placer()),
                                weights(yamlSection.section("weights")),
                                yamlSection.count("max_nodes_to_score", 0, 0),
                                yamlSection.flag("together", otherwise.placement().together())),
                        fairShare(yamlSection.section("fair_share")),
                        idle(yamlSection.section("idle")),
                        yamlSection.flag("predictions", false)
                                ? PredictionSettings.USED
                                : PredictionSettings.AS_NEEDED,
                        new LearnedSettings(
                                otherwise.learned().model(),
                                yamlSection.duration(
                                        "starvation_bound", otherwise.learned().starvationBound())),
                        ScenarioCarbon.NONE);
        yamlSection.end();
        return scenarioPolicy;
    }

    private static FairShareSettings fairShare(YamlSection yamlSection) {
        FairShareSettings usual = FairShareSettings.DEFAULT;
        Duration halfLife = yamlSection.duration("half_life", usual.halfLife());
        if (halfLife.toMillis() == 0) {
            throw yamlSection.bad("half_life", "expected more than 0, such as 7d, found 0");
        }
        var fairShareSettings =
                new FairShareSettings(halfLife, yamlSection.flag("dynamic", usual.adjusts()));
        yamlSection.end();
        return fairShareSettings;
    }

    /// GPU use is not measured in simulations: jobs define their pauses, so there is no threshold.
    private static IdleRules idle(YamlSection yamlSection) {
        IdleRules usual = IdleRules.DEFAULT;
        Duration after = yamlSection.duration("after", usual.after());
        if (!after.isPositive()) {
            throw yamlSection.bad("after", "expected a time above zero, found " + after);
        }
        var idle =
                new IdleRules(
                        usual.threshold(),
                        after,
                        yamlSection.flag("reclaim", usual.reclaims()),
                        yamlSection.duration("grace", usual.grace()));
        yamlSection.end();
        return idle;
    }

    private static ScoreWeights weights(YamlSection yamlSection) {
        ScoreWeights usual = ScoreWeights.DEFAULT;
        var weights =
                new ScoreWeights(
                        yamlSection.decimal("availability", 0, 1e6, usual.availability()),
                        yamlSection.decimal("topology", 0, 1e6, usual.topology()),
                        yamlSection.decimal("model_cache", 0, 1e6, usual.modelCache()),
                        yamlSection.decimal("cost", 0, 1e6, usual.cost()),
                        yamlSection.decimal("data_locality", 0, 1e6, usual.dataLocality()));
        yamlSection.end();
        String fault = weights.fault();
        if (fault != null) {
            throw yamlSection.bad("", fault);
        }
        return weights;
    }

    private static ClusterDelays timing(YamlSection yamlSection) {
        ClusterDelays otherwise = ClusterDelays.DEFAULT;
        var clusterDelays =
                new ClusterDelays(
                        yamlSection.duration("network", otherwise.network()),
                        yamlSection.duration("prepare", otherwise.prepare()),
                        yamlSection.duration("start", otherwise.start()),
                        yamlSection.duration("reconnect", otherwise.reconnect()),
                        yamlSection.duration("silent_after", otherwise.silent()),
                        yamlSection.duration("lease", otherwise.lease()),
                        yamlSection.duration("fenced_after", otherwise.fenced()));
        if (clusterDelays.fenced().compareTo(clusterDelays.lease().plus(clusterDelays.network()))
                <= 0) {
            throw yamlSection.bad(
                    "fenced_after",
                    "expected more than the lease of "
                            + ScenarioDurations.rough(clusterDelays.lease())
                            + ": tasks may run until then, found "
                            + ScenarioDurations.rough(clusterDelays.fenced()));
        }
        yamlSection.end();
        return clusterDelays;
    }

    private static List<Tenant> tenants(List<YamlSection> sections) {
        var tenants = new ArrayList<Tenant>();
        var known = new LinkedHashSet<TenantId>(List.of(Tenant.DEFAULT));
        var seen = new LinkedHashSet<TenantId>();
        for (YamlSection yamlSection : sections) {
            Tenant tenant = tenant(yamlSection, null);
            if (!seen.add(tenant.id())) {
                throw yamlSection.bad("id", "there is another tenant " + tenant.id());
            }
            if (tenant.parent() != null && !known.contains(tenant.parent())) {
                throw yamlSection.bad(
                        "parent",
                        "expected a tenant that is listed before "
                                + tenant.id()
                                + ", found "
                                + tenant.parent());
            }
            checkGuarantee(yamlSection, tenant);
            yamlSection.end();
            tenants.add(tenant);
            known.add(tenant.id());
        }
        return tenants;
    }

    private static void checkGuarantee(YamlSection yamlSection, Tenant tenant) {
        long limit = tenant.limit().milliGpus() / 1000;
        long guaranteed = tenant.guaranteed().milliGpus() / 1000;
        if (guaranteed > limit) {
            throw yamlSection.bad(
                    "guaranteed_gpus",
                    "expected at most max_gpus, which is " + limit + ", found " + guaranteed);
        }
    }

    /// A tenant as written, merged over its present settings if it exists.
    static Tenant tenant(YamlSection yamlSection, @Nullable Tenant now) {
        var id = new TenantId(yamlSection.name("id"));
        Tenant base = now == null ? Tenant.unlimited(id) : now;
        Limits limit = base.limit();
        String parent = yamlSection.text("parent", "");
        return new Tenant(
                id,
                parent.isEmpty() ? base.parent() : new TenantId(parent),
                new Limits(
                        scaled(yamlSection, "guaranteed_gpus", 1000, base.guaranteed().milliGpus()),
                        0,
                        0,
                        0,
                        0),
                new Limits(
                        scaled(yamlSection, "max_gpus", 1000, limit.milliGpus()),
                        scaled(yamlSection, "max_gpu_memory_mb", 1, limit.gpuMemoryMiB()),
                        scaled(yamlSection, "max_cpu_cores", 1000, limit.milliCpu()),
                        scaled(yamlSection, "max_memory_mb", 1, limit.memoryMiB()),
                        scaled(yamlSection, "max_concurrent_jobs", 1, limit.runningJobs())),
                yamlSection.decimal("fair_share_weight", 1e-6, 1e9, base.weight()),
                new PreemptionRules(
                        yamlSection.flag("allow_preemption", base.rules().mayBePreempted()),
                        yamlSection.flag("can_preempt_others", base.rules().mayPreempt()),
                        yamlSection.count("max_preemptions", 0, base.rules().mostPerJob())),
                true,
                base.profile());
    }

    private static long scaled(YamlSection yamlSection, String key, int unit, long otherwise) {
        return yamlSection.has(key) ? yamlSection.amount(key, 0) * unit : otherwise;
    }
}

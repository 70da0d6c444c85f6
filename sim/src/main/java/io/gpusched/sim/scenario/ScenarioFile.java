package io.gpusched.sim.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.gpusched.core.learn.Predictions;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.sim.trace.Trouble;

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
/// keys that nobody knows are refused, with the nearest known one.
///
///     cluster: [{name: n, count: 2, gpus: 8xA100-80GB}]
///     jobs:    [{name: train, gpu_count: 8, runs: 40m}]
public final class ScenarioFile {
    /// More of them in one entry are a slip of the pen, and would fill the memory before anything
    /// is said.
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
            throw new BadScenario("", "the file cannot be read: " + Trouble.with(e));
        }
    }

    public static Scenario parse(String name, String text) {
        return parse(name, text, Path.of(""));
    }

    /// @param folder where files that the text names are looked for
    private static Scenario parse(String name, String text, Path folder) {
        var top = new Section("", tree(text));
        String about = top.text("about", "");
        Instant start = start(top);
        @Nullable Duration until = top.durationOrNull("until");
        CarbonRules carbon = CarbonReader.rules(top.section("carbon"), start, folder);
        Rules rules = rules(top.section("policy")).withCarbon(carbon);
        Timing timing = timing(top.section("timing"));
        List<Node> nodes = NodeReader.nodes(top.sections("cluster"));
        List<Tenant> tenants = tenants(top.sections("tenants"));
        var jobReader = new JobReader(tenants);
        List<Arrival> jobs = jobReader.jobs(top.sections("jobs"));
        List<Drawn> workloads = jobReader.workloads(top.sections("workload"));
        var script = new ScriptReader(nodes, tenants, jobs);
        List<Fault> faults = script.faults(top.sections("faults"));
        List<Action> actions = script.actions(top.sections("actions"));
        top.end();
        if (nodes.isEmpty()) {
            throw new BadScenario("cluster", "expected at least one group of nodes, found none");
        }
        return new Scenario(
                name, about, start, until, rules, timing, nodes, tenants, jobs, workloads, faults,
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

    private static Instant start(Section top) {
        String text = top.text("start", Scenario.DEFAULT_START.toString());
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw top.bad("start", "expected a time such as 2026-01-05T00:00:00Z, found " + text);
        }
    }

    private static Rules rules(Section section) {
        Rules otherwise = Rules.DEFAULT;
        var rules =
                new Rules(
                        section.text("name", otherwise.policy()),
                        section.decimal("points_per_minute", 0, 1e6, otherwise.pointsPerMinute()),
                        section.flag("preemption", otherwise.preemption()),
                        section.flag("thermal", otherwise.thermal()),
                        section.duration("assumed_runtime", otherwise.assumed()),
                        section.duration("checkpoint_interval", otherwise.checkpointEvery()),
                        new PlacementSettings(
                                section.text("placement", otherwise.placement().placer()),
                                weights(section.section("weights")),
                                section.count("max_nodes_to_score", 0, 0),
                                section.flag("together", otherwise.placement().together())),
                        fairShare(section.section("fair_share")),
                        idle(section.section("idle")),
                        section.flag("predictions", false)
                                ? Predictions.USED
                                : Predictions.AS_NEEDED,
                        CarbonRules.NONE);
        section.end();
        return rules;
    }

    private static FairShare fairShare(Section section) {
        FairShare usual = FairShare.DEFAULT;
        Duration halfLife = section.duration("half_life", usual.halfLife());
        if (halfLife.toMillis() == 0) {
            throw section.bad("half_life", "expected more than 0, such as 7d, found 0");
        }
        var fairShare = new FairShare(halfLife, section.flag("dynamic", usual.adjusts()));
        section.end();
        return fairShare;
    }

    /// Measuring is not simulated: jobs say when they pause, so there is no threshold.
    private static IdleRules idle(Section section) {
        IdleRules usual = IdleRules.DEFAULT;
        Duration after = section.duration("after", usual.after());
        if (!after.isPositive()) {
            throw section.bad("after", "expected a time above zero, found " + after);
        }
        var idle =
                new IdleRules(
                        usual.threshold(),
                        after,
                        section.flag("reclaim", usual.reclaims()),
                        section.duration("grace", usual.grace()));
        section.end();
        return idle;
    }

    private static ScoreWeights weights(Section section) {
        ScoreWeights usual = ScoreWeights.DEFAULT;
        var weights =
                new ScoreWeights(
                        section.decimal("availability", 0, 1e6, usual.availability()),
                        section.decimal("topology", 0, 1e6, usual.topology()),
                        section.decimal("model_cache", 0, 1e6, usual.modelCache()),
                        section.decimal("cost", 0, 1e6, usual.cost()),
                        section.decimal("data_locality", 0, 1e6, usual.dataLocality()));
        section.end();
        String fault = weights.fault();
        if (fault != null) {
            throw section.bad("", fault);
        }
        return weights;
    }

    private static Timing timing(Section section) {
        Timing otherwise = Timing.DEFAULT;
        var timing =
                new Timing(
                        section.duration("network", otherwise.network()),
                        section.duration("prepare", otherwise.prepare()),
                        section.duration("start", otherwise.start()),
                        section.duration("reconnect", otherwise.reconnect()),
                        section.duration("silent_after", otherwise.silent()),
                        section.duration("lease", otherwise.lease()),
                        section.duration("fenced_after", otherwise.fenced()));
        if (timing.fenced().compareTo(timing.lease().plus(timing.network())) <= 0) {
            throw section.bad(
                    "fenced_after",
                    "expected more than the lease of "
                            + Spans.rough(timing.lease())
                            + ": tasks may run until then, found "
                            + Spans.rough(timing.fenced()));
        }
        section.end();
        return timing;
    }

    private static List<Tenant> tenants(List<Section> sections) {
        var tenants = new ArrayList<Tenant>();
        var known = new LinkedHashSet<TenantId>(List.of(Tenant.DEFAULT));
        var seen = new LinkedHashSet<TenantId>();
        for (Section section : sections) {
            Tenant tenant = tenant(section, null);
            if (!seen.add(tenant.id())) {
                throw section.bad("id", "there is another tenant " + tenant.id());
            }
            if (tenant.parent() != null && !known.contains(tenant.parent())) {
                throw section.bad(
                        "parent",
                        "expected a tenant that is listed before "
                                + tenant.id()
                                + ", found "
                                + tenant.parent());
            }
            checkGuarantee(section, tenant);
            section.end();
            tenants.add(tenant);
            known.add(tenant.id());
        }
        return tenants;
    }

    private static void checkGuarantee(Section section, Tenant tenant) {
        long limit = tenant.limit().milliGpus() / 1000;
        long guaranteed = tenant.guaranteed().milliGpus() / 1000;
        if (guaranteed > limit) {
            throw section.bad(
                    "guaranteed_gpus",
                    "expected at most max_gpus, which is " + limit + ", found " + guaranteed);
        }
    }

    /// A tenant as written, on top of what it is now if it exists.
    static Tenant tenant(Section section, @Nullable Tenant now) {
        var id = new TenantId(section.name("id"));
        Tenant base = now == null ? Tenant.unlimited(id) : now;
        Limits limit = base.limit();
        String parent = section.text("parent", "");
        return new Tenant(
                id,
                parent.isEmpty() ? base.parent() : new TenantId(parent),
                new Limits(
                        scaled(section, "guaranteed_gpus", 1000, base.guaranteed().milliGpus()),
                        0,
                        0,
                        0,
                        0),
                new Limits(
                        scaled(section, "max_gpus", 1000, limit.milliGpus()),
                        scaled(section, "max_gpu_memory_mb", 1, limit.gpuMemoryMiB()),
                        scaled(section, "max_cpu_cores", 1000, limit.milliCpu()),
                        scaled(section, "max_memory_mb", 1, limit.memoryMiB()),
                        scaled(section, "max_concurrent_jobs", 1, limit.runningJobs())),
                section.decimal("fair_share_weight", 1e-6, 1e9, base.weight()),
                new PreemptionRules(
                        section.flag("allow_preemption", base.rules().mayBePreempted()),
                        section.flag("can_preempt_others", base.rules().mayPreempt()),
                        section.count("max_preemptions", 0, base.rules().mostPerJob())),
                true,
                base.profile());
    }

    private static long scaled(Section section, String key, int unit, long otherwise) {
        return section.has(key) ? section.amount(key, 0) * unit : otherwise;
    }
}

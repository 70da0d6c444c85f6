package io.gpusched.sim.scenario;

import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Regions;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads the faults and user actions of a scenario. Each entry has a time (`at`), one key that
/// names the action and its target, and optional details.
final class ScriptReader {
    private static final Duration ALWAYS = Duration.ofDays(3650);

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<TenantId, Tenant> tenants = new HashMap<>();
    private final Map<String, Duration> jobs = new TreeMap<>();

    private final Instant start;

    ScriptReader(List<Node> nodes, List<Tenant> tenants, List<Arrival> jobs, Instant start) {
        this.start = start;
        nodes.forEach(node -> this.nodes.put(node.id().name(), node));
        tenants.forEach(tenant -> this.tenants.put(tenant.id(), tenant));
        jobs.forEach(job -> this.jobs.put(job.spec().name(), job.at()));
    }

    List<Fault> faults(List<YamlSection> sections) {
        return sections.stream().map(this::fault).toList();
    }

    private Fault fault(YamlSection yamlSection) {
        Duration at = yamlSection.duration("at");
        Fault fault;
        if (yamlSection.has("lose_node")) {
            fault =
                    new Fault.NodeLost(
                            at,
                            node(yamlSection, "lose_node"),
                            yamlSection.durationOrNull("back_after"),
                            yamlSection.flag("keeps_running", false));
        } else if (yamlSection.has("restart_agent")) {
            fault = new Fault.AgentRestarted(at, node(yamlSection, "restart_agent"));
        } else if (yamlSection.has("slow_start")) {
            NodeId node = node(yamlSection, "slow_start");
            fault = new Fault.SlowStart(at, node, yamlSection.duration("by"), lasts(yamlSection));
        } else if (yamlSection.has("refuse_starts")) {
            fault =
                    new Fault.StartsRefused(
                            at, node(yamlSection, "refuse_starts"), lasts(yamlSection));
        } else if (yamlSection.has("bad_network")) {
            YamlSection how = yamlSection.section("bad_network");
            fault =
                    new Fault.BadNetwork(
                            at,
                            how.decimal("lose", 0, 1, 0),
                            how.decimal("duplicate", 0, 1, 0),
                            lasts(yamlSection));
            how.end();
        } else if (yamlSection.has("heat")) {
            NodeId node = node(yamlSection, "heat");
            fault = new Fault.GpusHot(at, node, gpus(yamlSection, node), lasts(yamlSection));
        } else if (yamlSection.has("break_gpus")) {
            NodeId node = node(yamlSection, "break_gpus");
            fault = new Fault.GpusUnfit(at, node, gpus(yamlSection, node), lasts(yamlSection));
        } else if (yamlSection.has("lose_gpus")) {
            NodeId node = node(yamlSection, "lose_gpus");
            fault =
                    new Fault.GpusGone(
                            at, node, yamlSection.count("left", 0, 0), lasts(yamlSection));
        } else if (yamlSection.has("foreign_use")) {
            NodeId node = node(yamlSection, "foreign_use");
            fault = new Fault.ForeignUse(at, node, gpus(yamlSection, node), lasts(yamlSection));
        } else if (yamlSection.flag("restart_scheduler", false)) {
            fault = new Fault.SchedulerRestarted(at);
        } else {
            yamlSection.end();
            throw yamlSection.bad(
                    "",
                    "expected one of lose_node, restart_agent, slow_start, refuse_starts,"
                            + " bad_network, heat, break_gpus, restart_scheduler");
        }
        yamlSection.end();
        return fault;
    }

    List<UserAction> actions(List<YamlSection> sections) {
        return sections.stream().map(this::action).toList();
    }

    private UserAction action(YamlSection yamlSection) {
        Duration at = yamlSection.duration("at");
        UserAction userAction;
        if (yamlSection.has("cancel")) {
            userAction = new UserAction.Cancel(at, job(yamlSection, "cancel", at));
        } else if (yamlSection.has("hold")) {
            userAction = new UserAction.Hold(at, job(yamlSection, "hold", at));
        } else if (yamlSection.has("release")) {
            userAction = new UserAction.Release(at, job(yamlSection, "release", at));
        } else if (yamlSection.has("reprioritise")) {
            String job = job(yamlSection, "reprioritise", at);
            userAction =
                    new UserAction.Reprioritise(
                            at, job, yamlSection.count("to", Integer.MIN_VALUE, 0));
        } else if (yamlSection.has("cordon")) {
            userAction = new UserAction.Cordon(at, node(yamlSection, "cordon"));
        } else if (yamlSection.has("uncordon")) {
            userAction = new UserAction.Uncordon(at, node(yamlSection, "uncordon"));
        } else if (yamlSection.has("drain")) {
            userAction =
                    new UserAction.Drain(
                            at, node(yamlSection, "drain"), yamlSection.flag("evict", true));
        } else if (yamlSection.has("change_tenant")) {
            userAction =
                    new UserAction.ChangeTenant(at, tenant(yamlSection.section("change_tenant")));
        } else if (yamlSection.has("set_policy")) {
            userAction = new UserAction.SetPolicy(at, yamlSection.text("set_policy"));
        } else if (yamlSection.has("set_market")) {
            userAction = new UserAction.SetMarket(at, market(yamlSection.section("set_market")));
        } else if (yamlSection.has("put_forecast")) {
            userAction = forecast(yamlSection.section("put_forecast"), at);
        } else if (yamlSection.has("remove_forecast")) {
            userAction = new UserAction.RemoveForecast(at, yamlSection.text("remove_forecast"));
        } else {
            yamlSection.end();
            throw yamlSection.bad(
                    "",
                    "expected one of cancel, hold, release, reprioritise, cordon, uncordon, drain,"
                            + " change_tenant, set_policy, set_market, put_forecast,"
                            + " remove_forecast");
        }
        yamlSection.end();
        return userAction;
    }

    /// The forecast begins when it is put.
    private UserAction forecast(YamlSection yamlSection, Duration at) {
        Duration every = yamlSection.duration("every", Duration.ofHours(1));
        var grams = new ArrayList<Integer>();
        for (String text : yamlSection.texts("intensity")) {
            if (!text.matches("[0-9]{1,6}")) {
                throw yamlSection.bad(
                        "intensity", "expected whole grams of CO2 per kWh, found " + text);
            }
            grams.add(Integer.parseInt(text));
        }
        if (grams.isEmpty() || every.isZero()) {
            throw yamlSection.bad(
                    grams.isEmpty() ? "intensity" : "every",
                    "expected one or more slots of some length, found none");
        }
        String region = yamlSection.text("region", Regions.DEFAULT);
        yamlSection.end();
        var forecast = new RegionForecast(region, start.plus(at), every, grams);
        return new UserAction.PutForecast(at, forecast);
    }

    private static Market market(YamlSection yamlSection) {
        var market =
                new Market(
                        yamlSection.text("label"),
                        yamlSection.text("value"),
                        Math.round(yamlSection.decimal("dollars_per_gpu_hour", 0, 1e6, 0) * 1e6),
                        yamlSection.count("grams_per_kwh", 0, 0),
                        yamlSection.flag("spot", false));
        yamlSection.end();
        return market;
    }

    private Tenant tenant(YamlSection yamlSection) {
        var id = new TenantId(yamlSection.name("id"));
        Tenant tenant = ScenarioFile.tenant(yamlSection, tenants.get(id));
        yamlSection.end();
        tenants.put(id, tenant);
        return tenant;
    }

    private static Duration lasts(YamlSection yamlSection) {
        return yamlSection.duration("for", ALWAYS);
    }

    private NodeId node(YamlSection yamlSection, String key) {
        String name = yamlSection.text(key);
        if (!nodes.containsKey(name)) {
            throw yamlSection.bad(
                    key,
                    "there is no node " + name + "; " + UnknownWord.advice(name, nodes.keySet()));
        }
        return new NodeId(name);
    }

    private String job(YamlSection yamlSection, String key, Duration at) {
        String name = yamlSection.text(key);
        Duration submitted = jobs.get(name);
        if (submitted == null) {
            throw yamlSection.bad(
                    key,
                    "there is no job " + name + "; " + UnknownWord.advice(name, jobs.keySet()));
        }
        if (at.compareTo(submitted) <= 0) {
            throw yamlSection.bad(
                    "at",
                    "expected a time after the submission of "
                            + name
                            + " at "
                            + ScenarioDurations.rough(submitted)
                            + ", found "
                            + ScenarioDurations.rough(at));
        }
        return name;
    }

    /// A list of indices, or all GPUs of the node.
    private long gpus(YamlSection yamlSection, NodeId node) {
        Node of = nodes.get(node.name());
        long all = of == null ? 0 : of.allGpus();
        if (!yamlSection.has("gpus")) {
            return all;
        }
        long mask = 0;
        for (String index : yamlSection.texts("gpus")) {
            if (!index.matches("\\d{1,2}") || (all >>> Integer.parseInt(index) & 1) == 0) {
                throw yamlSection.bad("gpus", "node " + node + " has no GPU " + index);
            }
            mask |= 1L << Integer.parseInt(index);
        }
        return mask;
    }
}

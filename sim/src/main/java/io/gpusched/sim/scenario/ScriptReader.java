package io.gpusched.sim.scenario;

import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads what goes wrong and what people do. Each entry has a time (`at`), one key that says what
/// happens and to whom, and perhaps details.
final class ScriptReader {
    private static final Duration ALWAYS = Duration.ofDays(3650);

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<TenantId, Tenant> tenants = new HashMap<>();
    private final Map<String, Duration> jobs = new TreeMap<>();

    ScriptReader(List<Node> nodes, List<Tenant> tenants, List<Arrival> jobs) {
        nodes.forEach(node -> this.nodes.put(node.id().name(), node));
        tenants.forEach(tenant -> this.tenants.put(tenant.id(), tenant));
        jobs.forEach(job -> this.jobs.put(job.spec().name(), job.at()));
    }

    List<Fault> faults(List<Section> sections) {
        return sections.stream().map(this::fault).toList();
    }

    private Fault fault(Section section) {
        Duration at = section.duration("at");
        Fault fault;
        if (section.has("lose_node")) {
            fault =
                    new Fault.NodeLost(
                            at,
                            node(section, "lose_node"),
                            section.durationOrNull("back_after"),
                            section.flag("keeps_running", false));
        } else if (section.has("restart_agent")) {
            fault = new Fault.AgentRestarted(at, node(section, "restart_agent"));
        } else if (section.has("slow_start")) {
            NodeId node = node(section, "slow_start");
            fault = new Fault.SlowStart(at, node, section.duration("by"), lasts(section));
        } else if (section.has("refuse_starts")) {
            fault = new Fault.StartsRefused(at, node(section, "refuse_starts"), lasts(section));
        } else if (section.has("bad_network")) {
            Section how = section.section("bad_network");
            fault =
                    new Fault.BadNetwork(
                            at,
                            how.decimal("lose", 0, 1, 0),
                            how.decimal("duplicate", 0, 1, 0),
                            lasts(section));
            how.end();
        } else if (section.has("heat")) {
            NodeId node = node(section, "heat");
            fault = new Fault.GpusHot(at, node, gpus(section, node), lasts(section));
        } else if (section.has("break_gpus")) {
            NodeId node = node(section, "break_gpus");
            fault = new Fault.GpusUnfit(at, node, gpus(section, node), lasts(section));
        } else if (section.has("lose_gpus")) {
            NodeId node = node(section, "lose_gpus");
            fault = new Fault.GpusGone(at, node, section.count("left", 0, 0), lasts(section));
        } else if (section.has("foreign_use")) {
            NodeId node = node(section, "foreign_use");
            fault = new Fault.ForeignUse(at, node, gpus(section, node), lasts(section));
        } else if (section.flag("restart_scheduler", false)) {
            fault = new Fault.SchedulerRestarted(at);
        } else {
            section.end();
            throw section.bad(
                    "",
                    "expected one of lose_node, restart_agent, slow_start, refuse_starts,"
                            + " bad_network, heat, break_gpus, restart_scheduler");
        }
        section.end();
        return fault;
    }

    List<Action> actions(List<Section> sections) {
        return sections.stream().map(this::action).toList();
    }

    private Action action(Section section) {
        Duration at = section.duration("at");
        Action action;
        if (section.has("cancel")) {
            action = new Action.Cancel(at, job(section, "cancel", at));
        } else if (section.has("hold")) {
            action = new Action.Hold(at, job(section, "hold", at));
        } else if (section.has("release")) {
            action = new Action.Release(at, job(section, "release", at));
        } else if (section.has("reprioritise")) {
            String job = job(section, "reprioritise", at);
            action = new Action.Reprioritise(at, job, section.count("to", Integer.MIN_VALUE, 0));
        } else if (section.has("cordon")) {
            action = new Action.Cordon(at, node(section, "cordon"));
        } else if (section.has("uncordon")) {
            action = new Action.Uncordon(at, node(section, "uncordon"));
        } else if (section.has("drain")) {
            action = new Action.Drain(at, node(section, "drain"), section.flag("evict", true));
        } else if (section.has("change_tenant")) {
            action = new Action.ChangeTenant(at, tenant(section.section("change_tenant")));
        } else if (section.has("set_policy")) {
            action = new Action.SetPolicy(at, section.text("set_policy"));
        } else if (section.has("set_market")) {
            action = new Action.SetMarket(at, market(section.section("set_market")));
        } else {
            section.end();
            throw section.bad(
                    "",
                    "expected one of cancel, hold, release, reprioritise, cordon, uncordon, drain,"
                            + " change_tenant, set_policy, set_market");
        }
        section.end();
        return action;
    }

    private static Market market(Section section) {
        var market =
                new Market(
                        section.text("label"),
                        section.text("value"),
                        Math.round(section.decimal("dollars_per_gpu_hour", 0, 1e6, 0) * 1e6),
                        section.count("grams_per_kwh", 0, 0),
                        section.flag("spot", false));
        section.end();
        return market;
    }

    private Tenant tenant(Section section) {
        var id = new TenantId(section.name("id"));
        Tenant tenant = ScenarioFile.tenant(section, tenants.get(id));
        section.end();
        tenants.put(id, tenant);
        return tenant;
    }

    private static Duration lasts(Section section) {
        return section.duration("for", ALWAYS);
    }

    private NodeId node(Section section, String key) {
        String name = section.text(key);
        if (!nodes.containsKey(name)) {
            throw section.bad(
                    key, "there is no node " + name + "; " + Spelling.advice(name, nodes.keySet()));
        }
        return new NodeId(name);
    }

    private String job(Section section, String key, Duration at) {
        String name = section.text(key);
        Duration submitted = jobs.get(name);
        if (submitted == null) {
            throw section.bad(
                    key, "there is no job " + name + "; " + Spelling.advice(name, jobs.keySet()));
        }
        if (at.compareTo(submitted) <= 0) {
            throw section.bad(
                    "at",
                    "expected a time after the submission of "
                            + name
                            + " at "
                            + Spans.rough(submitted)
                            + ", found "
                            + Spans.rough(at));
        }
        return name;
    }

    /// A list of indices, or all GPUs of the node.
    private long gpus(Section section, NodeId node) {
        Node of = nodes.get(node.name());
        long all = of == null ? 0 : of.allGpus();
        if (!section.has("gpus")) {
            return all;
        }
        long mask = 0;
        for (String index : section.texts("gpus")) {
            if (!index.matches("\\d{1,2}") || (all >>> Integer.parseInt(index) & 1) == 0) {
                throw section.bad("gpus", "node " + node + " has no GPU " + index);
            }
            mask |= 1L << Integer.parseInt(index);
        }
        return mask;
    }
}

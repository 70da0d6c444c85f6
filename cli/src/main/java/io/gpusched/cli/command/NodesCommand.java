package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.ArrayList;
import java.util.List;

/// Lists nodes with their free capacity, or shows one node with its GPUs.
final class NodesCommand implements CliCommand {
    private static final List<String> NAMES = List.of("id", "name");

    @Override
    public Syntax syntax() {
        return Syntax.of("nodes", "List nodes with their free capacity, or show one with its GPUs.")
                .alsoCalled("sinfo")
                .taking(Operand.atMostOne("NODE", "Id of a node (default: list all nodes)."))
                .examples("Examples:", "  gpu-cli nodes", "  gpu-cli nodes node-3");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        if (id.isEmpty()) {
            Json answer = cliSession.ask(ApiPath.to("nodes"));
            cliSession.printer().list(answer, answer.at("nodes").items(), nodes());
        } else {
            Json node = cliSession.ask(ApiPath.to("nodes", id));
            cliSession.printer().detail(node, nodes());
            cliSession.printer().also("GPUs", node.at("gpus").items(), gpus());
        }
        return 0;
    }

    private static TableLayout nodes() {
        return new TableLayout(
                NAMES,
                List.of(
                        Column.of("NODE", n -> n.firstOf("id", "name").text()),
                        Column.of("STATE", NodesCommand::state),
                        Column.of("MODEL", "gpu_model"),
                        Column.of("GPUs FREE", n -> share(n, "available_gpus", "total_gpus")),
                        Column.of(
                                "CPUs FREE",
                                n -> share(n, "available_cpu_cores", "total_cpu_cores")),
                        Column.of("MEMORY FREE", NodesCommand::memory),
                        Column.of("REASON", NodesCommand::closed).onlyWide(),
                        Column.of("HOSTNAME", "hostname").onlyWide(),
                        Column.of("AGENT", "agent").onlyWide(),
                        Column.of("LABELS", "labels").onlyWide(),
                        Column.of("TAINTS", "taints").onlyWide()));
    }

    private static TableLayout gpus() {
        return new TableLayout(
                List.of("index"),
                List.of(
                        Column.of("INDEX", "index"),
                        Column.of("MODEL", "model"),
                        Column.of("MEMORY", g -> CellText.mebibytes(g.at("memory_total_mb"))),
                        Column.of("JOB", NodesCommand::holders),
                        Column.of("HEALTH", "health"),
                        Column.of("TEMPERATURE", "temperature"),
                        Column.of("UTILIZATION", "utilization")));
    }

    /// Who or what cordoned the node, and when running jobs are stopped.
    private static String closed(Json node) {
        String why = node.at("closed_reason").text();
        return node.at("drain_deadline").isNil()
                ? why
                : why + ", jobs are stopped at " + node.at("drain_deadline").text();
    }

    /// The state of the node, and whether its agent is connected. The scheduler notices a closed
    /// connection at once, but calls the node unreachable only after a timeout.
    private static String state(Json node) {
        String state = known(node);
        if (node.at("cordoned_by_scheduler").text().equals("true")) {
            state += " (by scheduler)";
        }
        if (!node.at("agent_connected").text().equals("false") || state.equals("lost")) {
            return state;
        }
        boolean heard = !node.at("agent_last_seen").isNil();
        return heard
                ? state + " (agent gone " + CellText.seconds(node.at("agent_silent_seconds")) + ")"
                : state + " (agent not connected)";
    }

    /// Older servers send three flags instead of a state.
    private static String known(Json node) {
        if (!node.at("state").isNil()) {
            return node.at("state").text();
        }
        if (node.at("online").text().equals("false")) {
            return "unreachable";
        }
        if (node.at("draining_mode").text().equals("true")) {
            return "draining";
        }
        return node.at("schedulable").text().equals("false") ? "cordoned" : "ready";
    }

    /// Every job that holds the GPU or a part of it, with that part.
    private static String holders(Json gpu) {
        if (gpu.at("holders").isNil()) {
            return gpu.at("job_id").text();
        }
        var jobs = new ArrayList<String>();
        for (Json holder : gpu.at("holders").items()) {
            String part = holder.at("part").text();
            String job = holder.at("job_id").isNil() ? "(other)" : holder.at("job_id").text();
            jobs.add(part.isEmpty() ? job : job + " " + part);
        }
        return String.join(", ", jobs);
    }

    private static String share(Json node, String free, String all) {
        return node.at(all).isNil() ? "" : CellText.share(node.at(free), node.at(all));
    }

    private static String memory(Json node) {
        Json all = node.at("total_memory_mb");
        return all.isNil()
                ? ""
                : CellText.mebibytes(node.at("available_memory_mb"))
                        + "/"
                        + CellText.mebibytes(all);
    }
}

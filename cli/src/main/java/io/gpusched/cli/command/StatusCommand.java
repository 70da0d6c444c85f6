package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.OutputFormat;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;

/// Shows the cluster in three lines: nodes, GPUs and jobs.
final class StatusCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("status", "Show how many nodes, GPUs and jobs the cluster has.")
                .examples("Example:", "  gpu-cli status");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        if (parsedArguments.of(GlobalOptions.OUTPUT) == OutputFormat.NAME) {
            throw new UsageError(
                    "option --output: status has no ids to print; choose table, json or yaml");
        }
        var tableLayout =
                new TableLayout(
                        List.of(),
                        List.of(
                                Column.of("GPUs", StatusCommand::gpus),
                                Column.of("Nodes", StatusCommand::nodes),
                                Column.of("Jobs", StatusCommand::jobs)));
        cliSession.printer().detail(cliSession.ask(ApiPath.to("cluster", "status")), tableLayout);
        return 0;
    }

    private static String gpus(Json status) {
        long total = status.at("total_gpus").number(0);
        long free = status.at("available_gpus").number(0);
        long used = status.at("used_gpus").number(total - free);
        String busy = total > 0 ? ", " + used * 100 / total + "% in use" : "";
        return total + " total, " + free + " available" + busy;
    }

    private static String nodes(Json status) {
        return status.at("total_nodes").number(0)
                + " total, "
                + status.at("online_nodes").number(0)
                + " online"
                + some(status, "unreachable")
                + some(status, "lost")
                + some(status, "cordoned")
                + some(status, "draining");
    }

    /// `, 1 lost`; empty if there are none.
    private static String some(Json status, String state) {
        long count = status.at(state + "_nodes").number(0);
        return count == 0 ? "" : ", " + count + " " + state;
    }

    private static String jobs(Json status) {
        return status.at("total_jobs").number(0)
                + " total, "
                + status.at("pending_jobs").number(0)
                + " pending, "
                + status.at("running_jobs").number(0)
                + " running";
    }
}

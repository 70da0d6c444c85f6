package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Format;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// The cluster in three lines.
final class Status implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("status", "Show the cluster in three lines.")
                .examples("Example:", "  gpu-cli status");
    }

    @Override
    public int run(Session session, Typed typed) {
        if (typed.of(GlobalWords.OUTPUT) == Format.NAME) {
            throw new Misuse(
                    "option --output: status has figures and no names; choose table, json or yaml");
        }
        var sheet =
                new Sheet(
                        List.of(),
                        List.of(
                                Column.of("GPUs", Status::gpus),
                                Column.of("Nodes", Status::nodes),
                                Column.of("Jobs", Status::jobs)));
        session.printer().detail(session.ask(Route.to("cluster", "status")), sheet);
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

    /// `, 1 lost` where there are any; nothing where all is well.
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

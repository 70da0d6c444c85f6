package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Drains nodes: no new jobs start there. Running jobs run to their end, are stopped at a deadline,
/// or are stopped at once.
final class DrainCommand implements CliCommand {
    private static final Option<Boolean> STOP =
            Option.flag(
                    "--stop", "Stop running jobs now and requeue them (default: let them finish).");

    private static final Option<Long> DEADLINE =
            Option.seconds(
                    "--deadline",
                    "TIME",
                    "Stop jobs that still run after this time: 600 (seconds) or 2h (default:"
                            + " never).");

    private static final Option<Boolean> YES =
            Option.flag("-y --yes", "With --stop: do not ask for confirmation.");

    @Override
    public Syntax syntax() {
        return Syntax.of("drain", "Start no new jobs on nodes and let running jobs finish.")
                .with(STOP, DEADLINE, YES)
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples(
                        "Examples:",
                        "  gpu-cli drain node-3",
                        "  gpu-cli drain node-3 --deadline 2h",
                        "  gpu-cli drain node-3 --stop");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        boolean stop = parsedArguments.of(STOP);
        if (stop && parsedArguments.has(DEADLINE)) {
            throw new UsageError("--stop and --deadline exclude each other; give one of them");
        }
        if (stop && !mayStop(cliSession, parsedArguments)) {
            cliSession.printer().remark("gpu-cli: nothing was drained");
            return 1;
        }
        Json body =
                stop
                        ? new Json.Fields(Map.of("stop", Json.of(true)))
                        : new RequestBody(parsedArguments)
                                .number("deadline_seconds", DEADLINE)
                                .json();
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer =
                            cliSession
                                    .rest()
                                    .call("POST", ApiPath.to("nodes", id, "drain"), body, Map.of());
                    cliSession.report(answer, id, id + ": " + sentence(answer, id));
                });
    }

    /// Prints how many jobs will be stopped, and on a terminal asks for confirmation.
    private static boolean mayStop(CliSession cliSession, ParsedArguments parsedArguments) {
        int jobs = 0;
        for (String id : parsedArguments.operands()) {
            List<Json> running = cliSession.ask(ApiPath.to("nodes", id)).at("jobs").items();
            jobs += running.size();
            if (!running.isEmpty()) {
                cliSession
                        .printer()
                        .remark(
                                "%s: stops %s: %s"
                                        .formatted(id, counted(running.size()), names(running)));
            }
        }
        if (jobs == 0 || parsedArguments.of(YES) || !cliSession.terminal()) {
            return true;
        }
        cliSession.printer().remark("Stop " + counted(jobs) + " now? [y/N]");
        String answer = line(cliSession.in()).strip().toLowerCase(Locale.ROOT);
        return answer.equals("y") || answer.equals("yes");
    }

    private static String counted(int jobs) {
        return jobs + (jobs == 1 ? " job" : " jobs");
    }

    private static String names(List<Json> jobs) {
        return String.join(", ", jobs.stream().map(Json::text).toList());
    }

    private static String line(InputStream in) {
        var text = new StringBuilder();
        try {
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                text.append((char) next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String sentence(Json node, String id) {
        String state = node.at("state").text();
        if (state.equals("drained")) {
            return "drained; no job runs there";
        }
        int jobs = node.at("jobs").isNil() ? 0 : node.at("jobs").items().size();
        return "draining"
                + (jobs == 0 ? "" : ", " + counted(jobs) + " still there")
                + "; watch it with gpu-cli nodes "
                + id;
    }
}

package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Empties nodes: no new jobs start there, and running jobs end by themselves, are stopped at a
/// deadline, or are stopped at once.
final class Drain implements Action {
    private static final Option<Boolean> STOP =
            Option.flag(
                    "--stop",
                    "Stop running jobs now and queue them again (default: let them finish).");

    private static final Option<Long> DEADLINE =
            Option.seconds(
                    "--deadline",
                    "TIME",
                    "Stop jobs that still run then: 3600 (seconds) or 2h (default: never).");

    private static final Option<Boolean> YES =
            Option.flag("--yes -y", "With --stop: do not ask whether to stop the jobs.");

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
    public int run(Session session, Typed typed) {
        boolean stop = typed.of(STOP);
        if (stop && typed.has(DEADLINE)) {
            throw new Misuse("--stop ends jobs at once, so --deadline has no effect; use one");
        }
        if (stop && !mayStop(session, typed)) {
            session.printer().remark("gpu-cli: nothing was drained");
            return 1;
        }
        Json body =
                stop
                        ? new Json.Fields(Map.of("stop", Json.of(true)))
                        : new Body(typed).number("deadline_seconds", DEADLINE).json();
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer =
                            session.rest()
                                    .call("POST", Route.to("nodes", id, "drain"), body, Map.of());
                    session.tell(answer, id, id + ": " + sentence(answer, id));
                });
    }

    /// Says how many jobs will be stopped, and on a terminal asks whether they may be.
    private static boolean mayStop(Session session, Typed typed) {
        int jobs = 0;
        for (String id : typed.operands()) {
            List<Json> running = session.ask(Route.to("nodes", id)).at("jobs").items();
            jobs += running.size();
            if (!running.isEmpty()) {
                session.printer()
                        .remark(
                                "%s: stops %s: %s"
                                        .formatted(id, counted(running.size()), names(running)));
            }
        }
        if (jobs == 0 || typed.of(YES) || !session.terminal()) {
            return true;
        }
        session.printer().remark("Stop " + counted(jobs) + " now? [y/N]");
        String answer = line(session.in()).strip().toLowerCase(Locale.ROOT);
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

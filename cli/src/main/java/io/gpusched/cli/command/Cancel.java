package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.rest.Unreachable;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Cancels jobs, waiting or running.
///
/// The scheduler accepts at once, but what runs has its grace to end by itself. So we look again,
/// and say `cancelled` only of what has ended.
final class Cancel implements Action {
    private static final Option<Boolean> WAIT =
            Option.flag("--wait", "Wait until the jobs have really ended.");

    @Override
    public Syntax syntax() {
        return Syntax.of("cancel", "Cancel jobs.")
                .alsoCalled("scancel")
                .with(WAIT)
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples(
                        "Examples:",
                        "  gpu-cli cancel job-7 job-8",
                        "  gpu-cli cancel job-7 --wait");
    }

    @Override
    public int run(Session session, Typed typed) {
        boolean waits = typed.of(WAIT);
        var accepted = new ArrayList<String>();
        int result =
                session.forEach(
                        typed.operands(),
                        id -> {
                            Json answer = session.rest().call("DELETE", Route.to("jobs", id));
                            accepted.add(id);
                            if (!waits) {
                                session.printer()
                                        .done(answer, id, () -> List.of(outcome(session, id)));
                            }
                        });
        return waits ? Math.max(result, awaited(session, accepted)) : result;
    }

    private static int awaited(Session session, List<String> ids) {
        int result = 0;
        var vigil = new Vigil(session, Duration.ZERO);
        for (String id : ids) {
            Json job = vigil.untilEnded(id);
            session.tell(job, id, id + ": " + Ending.stateOf(job));
            result = Ending.hasEnded(job) ? result : Ending.NOT_FINISHED;
        }
        return result;
    }

    private static String outcome(Session session, String id) {
        Json job;
        try {
            job = session.job(id);
        } catch (Refused | Unreachable unknown) {
            return id + ": cancel accepted; see gpu-cli get " + id;
        }
        if (Ending.hasEnded(job)) {
            return id + ": " + Ending.stateOf(job);
        }
        String reason = job.at("reason").text();
        if (reason.contains("; node unreachable: ")) {
            return id + ": " + reason;
        }
        String grace = Cells.seconds(job.at("grace_seconds"));
        return "%s: stopping%s; wait for it with gpu-cli wait %s"
                .formatted(id, grace.isEmpty() ? "" : ", up to " + grace + " grace", id);
    }
}

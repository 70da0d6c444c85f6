package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.time.Duration;

/// Waits until jobs have ended and exits as they did; of several jobs the highest code counts.
final class Wait implements Action {
    private static final Option<Duration> TIMEOUT =
            Option.span(
                    "--timeout",
                    "TIME",
                    "Stop waiting after this time: 90 (minutes), 45s or 1:30:00.");

    @Override
    public Syntax syntax() {
        return Syntax.of("wait", "Wait until jobs have ended, and exit with their code.")
                .with(TIMEOUT)
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples(
                        "Exit codes: 0 all completed; the job's own if it failed, 128+n for signal"
                                + " n;",
                        "100 failed without one, 101 not finished in time, 102 not found, 103"
                                + " cancelled.",
                        "",
                        "Example:",
                        "  gpu-cli wait job-7 --timeout 2h && echo fine");
    }

    @Override
    public int run(Session session, Typed typed) {
        var vigil = new Vigil(session, typed.of(TIMEOUT));
        int worst = 0;
        for (String id : typed.operands()) {
            worst = Math.max(worst, ended(session, vigil, id));
        }
        return worst;
    }

    private static int ended(Session session, Vigil vigil, String id) {
        try {
            Json job = vigil.untilEnded(id);
            session.tell(job, id, id + " " + Ending.stateOf(job));
            return Ending.exitCode(job);
        } catch (Refused no) {
            if (no.status() != 404) {
                throw no;
            }
            session.printer().remark("gpu-cli: " + id + ": " + no.sentence());
            return Ending.NOT_FOUND;
        }
    }
}

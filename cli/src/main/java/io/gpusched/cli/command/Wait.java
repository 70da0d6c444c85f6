package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Refused;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.time.Duration;
import java.util.List;

/// Waits until jobs have ended and exits as they did; of several jobs the highest code counts.
@Command(
        name = "wait",
        description = "Wait until jobs have ended, and exit with their code.",
        footer = {
            "",
            "Exit codes: 0 all completed; the job's own code if it failed (128+n for a signal);",
            "100 failed without a code, 101 not finished in time, 102 not found, 103 cancelled.",
            "",
            "Example:",
            "  gpu-cli wait job-7 --timeout 2h && echo fine"
        })
public final class Wait implements Action {
    @Parameters(paramLabel = "JOB", arity = "1..*", description = "Ids of the jobs.")
    List<String> ids = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Quantities.Span.class,
            description = "Stop waiting after this time: 90 (minutes), 2h30m or 45s.")
    Duration timeout = Duration.ZERO;

    @Override
    public int run(Session session) {
        var vigil = new Vigil(session, timeout);
        int worst = 0;
        for (String id : ids) {
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

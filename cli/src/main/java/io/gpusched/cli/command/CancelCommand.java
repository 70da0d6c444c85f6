package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Cancels waiting or running jobs.
///
/// The scheduler accepts a cancel at once, but a running job has its grace period to stop. So the
/// command reads the job again, and prints `cancelled` only if the job has ended.
final class CancelCommand implements CliCommand {
    private static final Option<Boolean> WAIT =
            Option.flag("--wait", "Wait until the jobs have ended.");

    @Override
    public Syntax syntax() {
        return Syntax.of("cancel", "Cancel waiting or running jobs.")
                .alsoCalled("scancel")
                .with(WAIT)
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples(
                        "Examples:",
                        "  gpu-cli cancel job-7 job-8",
                        "  gpu-cli cancel job-7 --wait");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        boolean waits = parsedArguments.of(WAIT);
        var accepted = new ArrayList<String>();
        int result =
                cliSession.forEach(
                        parsedArguments.operands(),
                        id -> {
                            Json answer = cliSession.rest().call("DELETE", ApiPath.to("jobs", id));
                            accepted.add(id);
                            if (!waits) {
                                cliSession
                                        .printer()
                                        .done(answer, id, () -> List.of(outcome(cliSession, id)));
                            }
                        });
        return waits ? Math.max(result, waitForAll(cliSession, accepted)) : result;
    }

    private static int waitForAll(CliSession cliSession, List<String> ids) {
        int result = 0;
        var jobWatcher = new JobWatcher(cliSession, Duration.ZERO);
        for (String id : ids) {
            Json job = jobWatcher.untilEnded(id);
            cliSession.report(job, id, id + ": " + ExitStatus.stateOf(job));
            result = ExitStatus.hasEnded(job) ? result : ExitStatus.NOT_FINISHED;
        }
        return result;
    }

    private static String outcome(CliSession cliSession, String id) {
        Json job;
        try {
            job = cliSession.job(id);
        } catch (RequestRefused | Unreachable unknown) {
            return id + ": cancel accepted; see gpu-cli get " + id;
        }
        if (ExitStatus.hasEnded(job)) {
            return id + ": " + ExitStatus.stateOf(job);
        }
        if (!job.at("unreachable_node").text().isEmpty()) {
            return id + ": " + job.at("reason").text();
        }
        String grace = CellText.seconds(job.at("grace_seconds"));
        return "%s: stopping%s; wait for it with gpu-cli wait %s"
                .formatted(id, grace.isEmpty() ? "" : ", up to " + grace + " grace", id);
    }
}

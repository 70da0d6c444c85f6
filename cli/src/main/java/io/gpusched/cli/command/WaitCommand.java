package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.RequestRefused;

import java.time.Duration;

/// Waits until jobs have ended and exits with their code; of several codes, the highest.
final class WaitCommand implements CliCommand {
    private static final Option<Duration> TIMEOUT =
            Option.span(
                    "--timeout",
                    "TIME",
                    "Stop waiting after this time: 90 (minutes), 45s or 1:30:00 (default: never).");

    @Override
    public Syntax syntax() {
        return Syntax.of("wait", "Wait until jobs have ended; exit with their code.")
                .with(TIMEOUT)
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples(
                        "Exit codes: 0 all jobs completed; a failed job's own exit code; 128+n if"
                                + " signal n ended it;",
                        "100 failed without an exit code, 101 timeout, 102 job not found, 103"
                                + " cancelled.",
                        "With several jobs, the highest code.",
                        "",
                        "Example:",
                        "  gpu-cli wait job-7 --timeout 2h && echo fine");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        var jobWatcher = new JobWatcher(cliSession, parsedArguments.of(TIMEOUT));
        int worst = 0;
        for (String id : parsedArguments.operands()) {
            worst = Math.max(worst, ended(cliSession, jobWatcher, id));
        }
        return worst;
    }

    private static int ended(CliSession cliSession, JobWatcher jobWatcher, String id) {
        try {
            Json job = jobWatcher.untilEnded(id);
            cliSession.report(job, id, id + " " + ExitStatus.stateOf(job));
            return ExitStatus.exitCode(job);
        } catch (RequestRefused no) {
            if (no.status() != 404) {
                throw no;
            }
            cliSession.printer().remark("gpu-cli: " + id + ": " + no.sentence());
            return ExitStatus.NOT_FOUND;
        }
    }
}

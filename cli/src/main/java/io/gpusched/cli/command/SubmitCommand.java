package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Submits a job. Only given options are sent; the server has the defaults.
final class SubmitCommand implements CliCommand {
    private static final Option<String> FILE =
            Option.text(
                    "-f --file",
                    "FILE",
                    "File with the job as JSON, - for standard input; options override it.");
    private static final Option<String> KEY =
            Option.text(
                    "--idempotency-key",
                    "KEY",
                    "Key that makes repeated submissions submit the job only once.");
    private static final Option<Boolean> DRY_RUN =
            Option.flag(
                    "--dry-run",
                    "Submit nothing; show whether the job would start, where, or why not.");
    private static final Option<Boolean> WAIT =
            Option.flag("--wait", "Wait until the job has ended; exit with its code.");

    private static final List<String> EXAMPLES =
            List.of(
                    "Examples:",
                    "  gpu-cli submit --gpus 2 run.sh --epochs 3",
                    "  gpu-cli submit --gpus 2 --working-dir \"$PWD\" -- python train.py"
                            + " --epochs 3",
                    "  gpu-cli submit --gpus 64 --gang --dry-run -- /opt/train",
                    "  ID=$(gpu-cli submit --gpus 1 --script nvidia-smi -o name)",
                    "",
                    "gpu-cli reads the script file now and sends it with the job. Options of"
                            + " submit come before the file;",
                    "everything after it is an argument of the script. The job runs on a node,"
                            + " in a new empty directory.",
                    "It finds your other files only by their full path or with --working-dir,"
                            + " and only if that",
                    "directory is mounted on the node.");

    @Override
    public Syntax syntax() {
        return Syntax.of("submit", "Submit a job.")
                .alsoCalled("sbatch")
                .with(JobOptions.and(FILE, KEY, DRY_RUN, WAIT))
                .taking(
                        Operand.command(
                                "WORD",
                                "Script file with its arguments or, after --, a command of the"
                                        + " node."))
                .examples(EXAMPLES.toArray(String[]::new));
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        var headers =
                parsedArguments.has(KEY)
                        ? Map.of("Idempotency-Key", parsedArguments.of(KEY))
                        : Map.<String, String>of();
        Json body = body(cliSession, parsedArguments);
        if (parsedArguments.of(DRY_RUN)) {
            warnAboutArguments(cliSession, parsedArguments);
            return preview(cliSession, body, headers);
        }
        Json answer = cliSession.rest().call("POST", ApiPath.to("jobs"), body, headers);
        String id = answer.firstOf("job_id", "id").text();
        cliSession
                .printer()
                .done(
                        answer,
                        id,
                        () ->
                                List.of(
                                        "Job submitted successfully!",
                                        "Job ID: " + id,
                                        "Status: " + answer.at("status").text()));
        warnAboutArguments(cliSession, parsedArguments);
        cliSession.warnings(answer);
        if (!parsedArguments.of(WAIT)) {
            return 0;
        }
        cliSession.printer().flush();
        return ExitStatus.exitCode(new JobWatcher(cliSession, Duration.ZERO).untilEnded(id));
    }

    private static int preview(CliSession cliSession, Json body, Map<String, String> headers) {
        ApiPath apiPath = ApiPath.to("jobs").with("dry_run", "true");
        Json answer = cliSession.rest().call("POST", apiPath, body, headers);
        cliSession
                .printer()
                .detail(
                        answer,
                        new TableLayout(
                                List.of("verdict"),
                                List.of(
                                        Column.of("Verdict", SubmitCommand::verdict),
                                        Column.of("Summary", "summary"),
                                        Column.of("Place", "place"),
                                        Column.of("Position", ExplanationTables::position))));
        ExplanationTables.print(answer, cliSession.printer());
        cliSession.warnings(answer);
        return 0;
    }

    private static String verdict(Json answer) {
        return switch (answer.at("verdict").text()) {
            case "starts" -> "would start now";
            case "makes_room" ->
                    "would start after stopping "
                            + answer.at("stops").text()
                            + (answer.at("stops").number(0) == 1 ? " other job" : " other jobs")
                            + named(answer);
            case "waits" -> "would wait";
            case "held" -> "would be held";
            case "repeats" -> "is already submitted as " + answer.at("job_id").text();
            default -> answer.at("verdict").text();
        };
    }

    /// `: job-3, job-5 and 1 more`; the server names only jobs that the caller may see.
    private static String named(Json answer) {
        List<Json> jobs = answer.at("stops_jobs").items();
        long more = answer.at("stops").number(0) - jobs.size();
        return jobs.isEmpty()
                ? ""
                : jobs.stream().map(Json::text).collect(Collectors.joining(", ", ": ", ""))
                        + (more > 0 ? " and " + more + " more" : "");
    }

    private static Json body(CliSession cliSession, ParsedArguments parsedArguments) {
        var requestBody = new RequestBody(parsedArguments);
        if (parsedArguments.has(FILE)) {
            requestBody.all(JsonFiles.read("--file", parsedArguments.of(FILE), cliSession.in()));
        }
        JobOptions.addTo(requestBody, parsedArguments);
        if (!parsedArguments.beforeDashes().isEmpty()) {
            addScript(requestBody, parsedArguments);
        }
        String tenant = cliSession.actingTenant().forSubmission();
        boolean fromFile =
                requestBody.has("tenant_id") && cliSession.actingTenant().requested().isEmpty();
        return tenant.isEmpty() || fromFile
                ? requestBody.json()
                : requestBody.put("tenant_id", Json.of(tenant)).json();
    }

    private static void addScript(RequestBody requestBody, ParsedArguments parsedArguments) {
        String file = parsedArguments.operand(0);
        for (Option<String> other : List.of(JobOptions.SCRIPT, JobOptions.COMMAND)) {
            if (parsedArguments.has(other)) {
                throw new UsageError(
                        "the file %s and %s exclude each other; write arguments of %s after --"
                                .formatted(file, other.longName(), other.longName()));
            }
        }
        List<String> arguments =
                parsedArguments.operands().subList(1, parsedArguments.operands().size());
        requestBody
                .put("command", Json.of(ScriptFile.read(file).command()))
                .put("args", Json.of(arguments));
    }

    /// Warns about arguments that probably do not mean what the user intended.
    private void warnAboutArguments(CliSession cliSession, ParsedArguments parsedArguments) {
        String script = parsedArguments.of(JobOptions.SCRIPT).strip();
        if (ScriptFile.isNamedBy(script)) {
            cliSession
                    .printer()
                    .remark(
                            ("warning: --script is shell text: the node reads the file %s when the"
                                 + " job runs, and fails if it has none; to send the file with the"
                                 + " job, write: gpu-cli submit ... %s")
                                    .formatted(script.split("\\s+", 2)[0], script));
        }
        List<String> names =
                Stream.concat(syntax().options().stream(), GlobalOptions.ALL.stream())
                        .flatMap(option -> option.names().stream())
                        .toList();
        parsedArguments.beforeDashes().stream()
                .skip(1)
                .map(argument -> argument.split("=", 2)[0])
                .filter(names::contains)
                .findFirst()
                .ifPresent(
                        argument ->
                                cliSession
                                        .printer()
                                        .remark(
                                                ("warning: %s comes after %s and is passed to the"
                                                     + " script; options of submit come before the"
                                                     + " file")
                                                        .formatted(
                                                                argument,
                                                                parsedArguments.operand(0))));
    }
}

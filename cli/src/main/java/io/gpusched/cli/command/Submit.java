package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Hands a job to the scheduler. Only what was typed is sent; every default is the server's.
final class Submit implements Action {
    private static final Option<String> FILE =
            Option.text("-f --file", "FILE", "JSON of the job, - for standard input; options win.");
    private static final Option<String> KEY =
            Option.text("--idempotency-key", "KEY", "Submitting twice with one key submits once.");
    private static final Option<Boolean> DRY_RUN =
            Option.flag(
                    "--dry-run",
                    "Only say whether it would start, where, or why not; submit nothing.");
    private static final Option<Boolean> WAIT =
            Option.flag("--wait", "Wait until the job has ended, and exit with its code.");

    @Override
    public Syntax syntax() {
        return Syntax.of("submit", "Submit a job.")
                .alsoCalled("sbatch")
                .with(
                        JobWords.NAME,
                        JobWords.PRIORITY,
                        JobWords.GPUS,
                        JobWords.GPU_MEMORY,
                        JobWords.GPU_MODEL,
                        JobWords.GPU_LOCALITY,
                        JobWords.MIN_BANDWIDTH,
                        JobWords.MIG_PROFILE,
                        JobWords.GPU_PERCENT,
                        JobWords.CPUS,
                        JobWords.MEMORY,
                        JobWords.GANG,
                        JobWords.TASKS,
                        JobWords.NEAR,
                        JobWords.WITHIN,
                        JobWords.IMAGE,
                        JobWords.SCRIPT,
                        JobWords.COMMAND,
                        JobWords.MAX_RUNTIME,
                        JobWords.GRACE,
                        JobWords.HOLD,
                        JobWords.CHECKPOINT,
                        JobWords.ENV,
                        JobWords.LABEL,
                        JobWords.NODE_SELECTOR,
                        JobWords.TOLERATION,
                        JobWords.WORKING_DIR,
                        FILE,
                        KEY,
                        DRY_RUN,
                        WAIT)
                .taking(
                        Operand.command(
                                "WORD",
                                "File of a script and its arguments, or after -- a command of the"
                                        + " node."))
                .examples(
                        "Examples:",
                        "  gpu-cli submit --gpus 2 run.sh --epochs 3",
                        "  gpu-cli submit --gpus 2 --working-dir \"$PWD\" -- python train.py"
                                + " --epochs 3",
                        "  gpu-cli submit --gpus 64 --gang --dry-run -- /opt/train",
                        "  ID=$(gpu-cli submit --gpus 1 --script nvidia-smi -o name)",
                        "",
                        "The file of a script is read now and sent with the job; options of submit"
                                + " stand before it,",
                        "and the words after it are its arguments. A job runs on a node, in an"
                                + " empty directory:",
                        "other files of yours are found only by their full path, or with"
                                + " --working-dir, and only",
                        "where that directory is mounted.");
    }

    @Override
    public int run(Session session, Typed typed) {
        var headers =
                typed.has(KEY)
                        ? Map.of("Idempotency-Key", typed.of(KEY))
                        : Map.<String, String>of();
        Json body = body(session, typed);
        if (typed.of(DRY_RUN)) {
            doubts(session, typed);
            return preview(session, body, headers);
        }
        Json answer = session.rest().call("POST", Route.to("jobs"), body, headers);
        String id = answer.firstOf("job_id", "id").text();
        session.printer()
                .done(
                        answer,
                        id,
                        () ->
                                List.of(
                                        "Job submitted successfully!",
                                        "Job ID: " + id,
                                        "Status: " + answer.at("status").text()));
        doubts(session, typed);
        session.warnings(answer);
        if (!typed.of(WAIT)) {
            return 0;
        }
        session.printer().flush();
        return Ending.exitCode(new Vigil(session, Duration.ZERO).untilEnded(id));
    }

    private static int preview(Session session, Json body, Map<String, String> headers) {
        Route route = Route.to("jobs").with("dry_run", "true");
        Json answer = session.rest().call("POST", route, body, headers);
        session.printer()
                .detail(
                        answer,
                        new Sheet(
                                List.of("verdict"),
                                List.of(
                                        Column.of("Verdict", Submit::verdict),
                                        Column.of("Summary", "summary"),
                                        Column.of("Place", "place"),
                                        Column.of("Position", ExplanationSheets::position))));
        ExplanationSheets.print(answer, session.printer());
        session.warnings(answer);
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
            case "repeats" -> "was submitted before as " + answer.at("job_id").text();
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

    private static Json body(Session session, Typed typed) {
        var body = new Body(typed);
        if (typed.has(FILE)) {
            body.all(Documents.read("--file", typed.of(FILE), session.in()));
        }
        JobWords.addTo(body, typed);
        if (!typed.loose().isEmpty()) {
            addScript(body, typed);
        }
        String tenant = session.tenancy().forSubmission();
        boolean fromFile = body.has("tenant_id") && session.tenancy().asked().isEmpty();
        return tenant.isEmpty() || fromFile
                ? body.json()
                : body.put("tenant_id", Json.of(tenant)).json();
    }

    private static void addScript(Body body, Typed typed) {
        String file = typed.operand(0);
        for (Option<String> other : List.of(JobWords.SCRIPT, JobWords.COMMAND)) {
            if (typed.has(other)) {
                throw new Misuse(
                        "the file %s and %s exclude each other; arguments of %s are written after --"
                                .formatted(file, other.longName(), other.longName()));
            }
        }
        List<String> arguments = typed.operands().subList(1, typed.operands().size());
        body.put("command", Json.of(ScriptFile.read(file).command()))
                .put("args", Json.of(arguments));
    }

    /// Warns of words that probably mean something else than their place says.
    private void doubts(Session session, Typed typed) {
        String script = typed.of(JobWords.SCRIPT).strip();
        if (ScriptFile.isNamedBy(script)) {
            session.printer()
                    .remark(
                            ("warning: --script is shell text: the node reads the file %s when the"
                                 + " job runs, and fails if it has none; to send the file with the"
                                 + " job, write: gpu-cli submit ... %s")
                                    .formatted(script.split("\\s+", 2)[0], script));
        }
        List<String> names =
                Stream.concat(syntax().options().stream(), GlobalWords.ALL.stream())
                        .flatMap(option -> option.names().stream())
                        .toList();
        typed.loose().stream()
                .skip(1)
                .map(word -> word.split("=", 2)[0])
                .filter(names::contains)
                .findFirst()
                .ifPresent(
                        word ->
                                session.printer()
                                        .remark(
                                                ("warning: %s comes after %s and is passed to the"
                                                     + " script; options of submit stand before the"
                                                     + " file")
                                                        .formatted(word, typed.operand(0))));
    }
}

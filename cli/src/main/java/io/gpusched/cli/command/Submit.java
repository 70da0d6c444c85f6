package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonReader;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Hands a job to the scheduler. Only what was typed is sent; every default is the server's.
final class Submit implements Action {
    private static final Option<String> FILE =
            Option.text("-f --file", "FILE", "JSON of the job, - for standard input; options win.");
    private static final Option<String> KEY =
            Option.text("--idempotency-key", "KEY", "Submitting twice with one key submits once.");
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
                        WAIT)
                .taking(Operand.any("WORD", "After --, the command to run and its arguments."))
                .examples(
                        "Examples:",
                        "  gpu-cli submit --gpus 2 -- python train.py --epochs 3",
                        "  gpu-cli submit --name big --gpus 16 --gang --script ./run.sh",
                        "  ID=$(gpu-cli submit --gpus 1 --script nvidia-smi -o name)");
    }

    @Override
    public int run(Session session, Typed typed) {
        var headers =
                typed.has(KEY)
                        ? Map.of("Idempotency-Key", typed.of(KEY))
                        : Map.<String, String>of();
        Json answer = session.rest().call("POST", Route.to("jobs"), body(session, typed), headers);
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
        for (Json warning : answer.at("warnings").items()) {
            session.printer().remark("warning: " + warning.text());
        }
        return typed.of(WAIT)
                ? Ending.exitCode(new Vigil(session, Duration.ZERO).untilEnded(id))
                : 0;
    }

    private static Json body(Session session, Typed typed) {
        var body = new Body(typed);
        if (typed.has(FILE)) {
            body.all(document(typed.of(FILE), session.in()));
        }
        JobWords.addTo(body, typed);
        String tenant = session.tenancy().forSubmission();
        boolean fromFile = body.has("tenant_id") && session.tenancy().asked().isEmpty();
        return tenant.isEmpty() || fromFile
                ? body.json()
                : body.put("tenant_id", Json.of(tenant)).json();
    }

    private static Json document(String file, InputStream in) {
        try {
            byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
            Json read = JsonReader.read(new String(bytes, StandardCharsets.UTF_8));
            if (read instanceof Json.Fields) {
                return read;
            }
            throw new Misuse("option --file: expected a JSON object in " + file);
        } catch (JsonFault fault) {
            throw new Misuse("option --file: " + file + ", " + fault.getMessage());
        } catch (IOException e) {
            throw new Misuse("option --file: cannot read " + file + " (" + e + ")");
        }
    }
}

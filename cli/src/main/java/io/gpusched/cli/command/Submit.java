package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonReader;
import io.gpusched.cli.rest.Route;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Hands a job to the scheduler. Only what was typed is sent; every default is the server's.
@Command(
        name = "submit",
        aliases = "sbatch",
        description = "Submit a job.",
        footer = {
            "",
            "Examples:",
            "  gpu-cli submit --gpus 2 -- python train.py --epochs 3",
            "  gpu-cli submit --name big --gpus 16 --gang --gpu-memory 40Gi --script ./run.sh",
            "  ID=$(gpu-cli submit --gpus 1 --script nvidia-smi -o name)"
        })
public final class Submit implements Action {
    @Mixin JobOptions job = new JobOptions();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "JSON of the job, '-' for standard input; options given win over it.")
    @Nullable String file;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "Submitting twice with one key submits once.")
    @Nullable String idempotencyKey;

    @Option(names = "--wait", description = "Wait until the job has ended, and exit with its code.")
    boolean wait;

    @Parameters(
            paramLabel = "WORD",
            arity = "0..*",
            description = "After --, the command to run and its arguments.")
    List<String> words = List.of();

    @Override
    public int run(Session session) {
        Json answer =
                session.rest()
                        .call(
                                "POST",
                                Route.to("jobs"),
                                body(session),
                                idempotencyKey == null
                                        ? Map.of()
                                        : Map.of("Idempotency-Key", idempotencyKey));
        String id = answer.firstOf("job_id", "id").text();
        session.printer().done(answer, id, () -> sentences(answer, id));
        answer.at("warnings")
                .items()
                .forEach(warning -> session.printer().remark("warning: " + warning.text()));
        return wait ? Ending.exitCode(new Vigil(session, Duration.ZERO).untilEnded(id)) : 0;
    }

    private Json body(Session session) {
        var body = new Body();
        if (file != null) {
            body.all(document(file, session.in()));
        }
        job.addTo(body, words);
        String tenant = session.tenancy().forSubmission();
        boolean fromFile = body.has("tenant_id") && session.tenancy().asked().isEmpty();
        return tenant.isEmpty() || fromFile ? body.json() : body.with("tenant_id", tenant).json();
    }

    private static List<String> sentences(Json answer, String id) {
        var lines = new ArrayList<String>();
        lines.add("Job submitted successfully!");
        lines.add("Job ID: " + id);
        lines.add("Status: " + answer.at("status").text());
        return lines;
    }

    private static Json document(String file, InputStream in) {
        try {
            byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
            Json read = JsonReader.read(new String(bytes, StandardCharsets.UTF_8));
            if (read instanceof Json.Fields) {
                return read;
            }
            throw new Misuse("--file " + file + ": expected a JSON object");
        } catch (JsonFault fault) {
            throw new Misuse("--file " + file + ": " + fault.getMessage());
        } catch (IOException e) {
            throw new Misuse("--file " + file + ": cannot be read (" + e + ")");
        }
    }
}

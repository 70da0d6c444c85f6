package io.gpusched.lab;

import io.gpusched.core.event.Problem;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.lab.whatif.Journals;
import io.gpusched.sim.scaling.ScalerQuestion;
import io.gpusched.sim.scaling.ScalerWhatIf;
import io.gpusched.sim.scaling.ScalerWhatIfResult;
import io.gpusched.sim.trace.FileProblem;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.wire.pool.PoolRequest;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// The part of `lab what-if` that is about the scaling law of a pool.
final class PoolWhatIf {
    /// A document larger than this is none.
    private static final int MOST_BYTES = 1 << 20;

    private final String pool;
    private final List<String> laws;
    private final @Nullable Path document;
    private final PrintWriter err;

    /// @param laws to try; none only with a document
    /// @param document to try in place of the recorded ones; null for none
    PoolWhatIf(String pool, List<String> laws, @Nullable Path document, PrintWriter err) {
        this.pool = pool;
        this.laws = laws;
        this.document = document;
        this.err = err;
    }

    ScalerWhatIfResult answer(Journals history, String since) {
        if (laws.isEmpty() && document == null) {
            throw new UserError(
                    "--law: expected a law to try on pool %s, found none; name one, such as --law hpa-20, or a document with --pool-file"
                            .formatted(pool));
        }
        if (pool.isBlank()) {
            throw new UserError("--pool: expected the name of a pool, found nothing");
        }
        var question = new ScalerQuestion(new PoolId(pool), begin(since), laws, tried());
        int runs = 1 + Math.max(1, laws.size());
        try (var progress = new PartProgress(runs)) {
            return new ScalerWhatIf(history, null, history, question, progress).answer();
        }
    }

    private static Instant begin(String since) {
        WhatIfQuestion question = WhatIfQuestion.since(since, "", "");
        if (question.afterBatch() > 0) {
            throw new UserError(
                    "--since: expected a time with --pool, such as 2025-01-01T00:00:00Z, found \"%s\""
                            .formatted(since));
        }
        Instant from = question.from();
        return from == null ? Instant.EPOCH : from;
    }

    private @Nullable Pool tried() {
        Path file = document;
        if (file == null) {
            return null;
        }
        var context = new JobRequest.Context(0, 0, true);
        return switch (new PoolRequest().read(read(file), pool, context)) {
            case Parsed.Invalid(var problems) -> throw new UserError(text(file, problems));
            case Parsed.Valid(var valid, var warnings) -> {
                warnings.forEach(warning -> err.println("warning: " + warning));
                yield valid;
            }
        };
    }

    private static JsonTree.Mapping read(Path file) {
        try {
            return new JsonReader(MOST_BYTES).readObject(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UserError(
                    "--pool-file: cannot read %s: %s".formatted(file, FileProblem.with(e)));
        } catch (MalformedException e) {
            throw new UserError(
                    "--pool-file: expected a pool as JSON in %s, as gpu-cli pool show NAME -o json prints it: %s"
                            .formatted(file, e.getMessage()));
        }
    }

    private static String text(Path file, List<Problem> problems) {
        return problems.stream()
                .map(
                        problem ->
                                "%s: %s: %s%s"
                                        .formatted(
                                                file,
                                                problem.field(),
                                                problem.message(),
                                                problem.hint().isEmpty()
                                                        ? ""
                                                        : "; " + problem.hint()))
                .collect(Collectors.joining("\n"));
    }

    /// Progress on standard error: of the reading, then of the runs.
    private final class PartProgress implements ScalerWhatIf.Watcher, AutoCloseable {
        private final Progress reading = Progress.ofHistory();
        private final StepProgress steps;
        private String law = "";
        private int shown;

        PartProgress(int runs) {
            steps = StepProgress.of("parts", runs * 100L, err);
        }

        @Override
        public void read(long batch, long kept) {
            reading.read(batch, false);
        }

        @Override
        public void runs(String name, double part) {
            if (!name.equals(law)) {
                finish();
                reading.close();
                law = name;
                shown = 0;
                steps.begin(name);
            }
            for (; shown < (int) (100 * part); shown++) {
                steps.step();
            }
        }

        private void finish() {
            for (; !law.isEmpty() && shown < 100; shown++) {
                steps.step();
            }
        }

        @Override
        public void close() {
            reading.close();
            steps.close();
        }
    }
}

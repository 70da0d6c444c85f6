package io.gpusched.lab.compare;

import io.gpusched.sim.trace.FileProblem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/// Executes many runs, several at once, and keeps each result in a file as soon as it is ready.
/// Every run has its own thread and shares nothing with the others, so the results do not depend on
/// the number of threads.
public final class Comparison {
    private static final long GLANCE_MILLIS = 300;

    /// Receives the progress, on the calling thread.
    public interface Watcher {
        /// @param ended jobs that have ended in finished and unfinished runs
        /// @param there those of them whose runs were finished before this comparison began
        void glance(long ended, long there, int runsOver);
    }

    /// The results of a comparison.
    ///
    /// @param answers in the order of the runs
    /// @param kept how many of them were finished before
    /// @param stale files of other runs that were replaced
    /// @param failed the reasons of failed runs
    public record Found(
            List<RunResult> answers, int kept, int stale, TreeMap<String, String> failed) {
        public Found {
            answers = List.copyOf(answers);
        }

        /// A warning for each workload of which the scheduler refused jobs.
        public List<String> refusals() {
            var most = new LinkedHashMap<String, RunResult>();
            for (RunResult runResult : answers) {
                if (runResult.refused() > 0) {
                    most.merge(
                            runResult.policyRun().labWorkload().name(),
                            runResult,
                            (one, other) -> other.refused() > one.refused() ? other : one);
                }
            }
            return most.entrySet().stream()
                    .map(
                            entry ->
                                    "warning: %s: the scheduler refuses up to %d of %d jobs of a run, and the figures leave them out; the column refused of runs.csv counts them"
                                            .formatted(
                                                    entry.getKey(),
                                                    entry.getValue().refused(),
                                                    entry.getValue().policyRun().jobs()))
                    .toList();
        }
    }

    private record Work(PolicyRun policyRun, Future<RunResult> answer) {}

    /// @param ended jobs that have ended, by the index of the run
    private record Glances(AtomicLongArray ended, long there, List<Work> work, Watcher watcher) {
        void show() {
            long jobs = 0;
            for (int i = 0; i < ended.length(); i++) {
                jobs += ended.get(i);
            }
            watcher.glance(jobs, there, (int) work.stream().filter(w -> w.answer.isDone()).count());
        }
    }

    private final Path folder;
    private final int threads;

    /// @param folder keeps the results
    public Comparison(Path folder, int threads) {
        this.folder = folder;
        this.threads = threads;
    }

    public Found run(List<PolicyRun> questions, Watcher watcher) {
        Path above = folder.toAbsolutePath();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        if (above != null && !Files.isDirectory(above)) {
            throw new ComparisonError(
                    "--out: expected a directory to write to, found the file " + above);
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ComparisonError(
                    "cannot make the directory " + folder + ": " + FileProblem.with(e));
        }
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().daemon().name("compare-", 1).factory());
        try {
            return collect(questions, pool, watcher);
        } finally {
            pool.shutdownNow();
        }
    }

    private Found collect(List<PolicyRun> questions, ExecutorService pool, Watcher watcher) {
        var work = new ArrayList<Work>();
        int kept = 0;
        int stale = 0;
        long there = 0;
        var ended = new AtomicLongArray(questions.size());
        for (int i = 0; i < questions.size(); i++) {
            int number = i;
            PolicyRun policyRun = questions.get(i);
            Path file = folder.resolve(policyRun.file());
            boolean exists = Files.exists(file);
            RunResult known = exists ? RunResultFile.read(file, policyRun) : null;
            if (known != null) {
                kept++;
                ended.set(i, policyRun.jobs());
                there += policyRun.jobs();
            }
            stale += exists && known == null ? 1 : 0;
            work.add(
                    new Work(
                            policyRun,
                            known != null
                                    ? CompletableFuture.completedFuture(known)
                                    : pool.submit(() -> find(policyRun, file, ended, number))));
        }
        var answers = new ArrayList<RunResult>();
        var failed = new TreeMap<String, String>();
        var glances = new Glances(ended, there, work, watcher);
        for (Work one : work) {
            try {
                answers.add(await(one.answer, glances));
            } catch (ExecutionException e) {
                failed.put(one.policyRun.toString(), String.valueOf(e.getCause()));
            }
        }
        glances.show();
        return new Found(answers, kept, stale, failed);
    }

    private static RunResult find(PolicyRun policyRun, Path file, AtomicLongArray ended, int number)
            throws IOException {
        RunResult runResult = RunResult.find(policyRun, jobs -> ended.set(number, jobs));
        RunResultFile.write(file, runResult);
        ended.set(number, policyRun.jobs());
        return runResult;
    }

    private RunResult await(Future<RunResult> answer, Glances glances) throws ExecutionException {
        while (true) {
            try {
                return answer.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException later) {
                glances.show();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ComparisonError("stopped; finished runs are kept in " + folder);
            }
        }
    }
}

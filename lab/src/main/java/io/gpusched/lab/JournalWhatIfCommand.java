package io.gpusched.lab;

import io.gpusched.core.model.Check;
import io.gpusched.lab.whatif.Journals;
import io.gpusched.sim.scaling.ScalerWhatIfResult;
import io.gpusched.sim.scaling.ScalerWhatIfText;
import io.gpusched.sim.scenario.ScenarioDurations;
import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.sim.whatif.Verification;
import io.gpusched.sim.whatif.WhatIf;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;
import io.gpusched.sim.whatif.WhatIfText;
import io.gpusched.store.StoreException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab what-if`: replays a recorded journal under another policy and compares the results.
@Command(
        name = "what-if",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Replays a scheduler's journal under another policy, from a chosen point on, and",
            "compares what each tenant would have seen with what happened.",
            "Without --policy and --placement it replays under the recorded policy and reports",
            "every decision that differs; there should be none.",
            "",
            "With --pool it tries scaling laws on the recorded load of a pool instead.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab what-if --journal data",
            "  lab what-if --journal data --since 2025-01-01T00:00:00Z --policy fair",
            "  lab what-if --journal day.jsonl.gz --since 1200 --policy sjf --json answer.json",
            "  lab what-if --journal data --pool chat --law hpa-20,static-4",
            "  lab what-if --journal data --pool chat --pool-file chat.json --report chat.md",
            "",
            "docs/guide/what-if.md explains the figures and their assumptions."
        })
final class JournalWhatIfCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--journal",
            paramLabel = "FILE|DIR",
            required = true,
            description = "Exported journal file, or data directory of a scheduler.")
    @SuppressWarnings("NullAway.Init")
    private Path journal;

    @Option(
            names = "--since",
            paramLabel = "TIME|BATCH",
            defaultValue = "",
            description = "Point from which the other policy decides (default: the beginning).")
    @SuppressWarnings("NullAway.Init")
    private String since;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "",
            completionCandidates = SimulateCommand.PolicyNames.class,
            description = "Policy from that point on: one of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init")
    private String policy;

    @Option(
            names = {"--placement", "--placer"},
            paramLabel = "NAME",
            defaultValue = "",
            completionCandidates = SimulateCommand.PlacerNames.class,
            description = "Placement strategy from that point on: one of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init")
    private String placement;

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "Pool on whose recorded load scaling laws are tried.")
    private @Nullable String pool;

    @Option(
            names = "--law",
            paramLabel = "NAME",
            split = ",",
            description =
                    "With --pool: laws to try; may be a list. One of slo, targets, tokens, queue,"
                        + " static, hpa-N, static-N, keda, wva, dynamo, dynamo-floor, oracle-C.")
    private List<String> laws = new ArrayList<>();

    @Option(
            names = "--pool-file",
            paramLabel = "FILE",
            description =
                    "With --pool: pool document to try, as JSON (default: the recorded ones).")
    private @Nullable Path document;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "With --pool: also write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the answer to this file as JSON; - prints only JSON.")
    private @Nullable String json;

    @Override
    public Integer call() {
        try {
            return answer();
        } catch (InvalidWhatIf | StoreException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        } catch (Check.Broken e) {
            throw new UserError(
                    "this release cannot replay "
                            + journal
                            + ": "
                            + e.getMessage()
                            + "; use the release that wrote it");
        }
    }

    private int answer() {
        String name = pool;
        if (name != null) {
            return answer(name);
        }
        if (!laws.isEmpty() || document != null || report != null) {
            throw new UserError(
                    "--pool: expected the pool that --law, --pool-file and --report are about,"
                            + " found none");
        }
        WhatIfQuestion whatIfQuestion = WhatIfQuestion.since(since, policy, placement);
        Journals history = Journals.at(journal);
        long began = System.nanoTime();
        long[] read = {0};
        int code = 0;
        String plain;
        String asJson;
        try (Progress progress = Progress.ofHistory()) {
            WhatIf.Watcher watcher =
                    (batch, events, second) -> {
                        read[0] = events;
                        progress.read(batch, second);
                        return true;
                    };
            if (policy.isEmpty() && placement.isEmpty()) {
                var result = new Verification(history, whatIfQuestion, history, watcher).run();
                plain = WhatIfText.plain(result);
                asJson = WhatIfText.json(result);
                code = result.differing() == 0 ? 0 : 1;
            } else {
                WhatIfResult whatIfResult =
                        new WhatIf(history, whatIfQuestion, history, watcher).answer();
                plain = WhatIfText.plain(whatIfResult);
                asJson = WhatIfText.json(whatIfResult);
            }
        }
        print(plain, asJson);
        PrintWriter err = spec.commandLine().getErr();
        history.remarks().forEach(err::println);
        err.println(
                "read %,d events in %s"
                        .formatted(
                                read[0],
                                ScenarioDurations.rough(
                                        Duration.ofNanos(System.nanoTime() - began))));
        return code;
    }

    /// Tries scaling laws on one pool.
    private int answer(String name) {
        if (!policy.isEmpty() || !placement.isEmpty()) {
            throw new UserError(
                    "--pool: a what-if tries either scaling laws on a pool or another policy; leave"
                            + " out --policy and --placement");
        }
        Journals history = Journals.at(journal);
        PrintWriter err = spec.commandLine().getErr();
        ScalerWhatIfResult result =
                new PoolWhatIf(name, laws, document, err).answer(history, since);
        Output.write(report, ScalerWhatIfText.page(result));
        print(ScalerWhatIfText.plain(result), ScalerWhatIfText.json(result));
        history.remarks().forEach(err::println);
        return 0;
    }

    private void print(String plain, String asJson) {
        PrintWriter out = spec.commandLine().getOut();
        out.print("-".equals(json) ? asJson : plain);
        out.flush();
        if (json == null || json.equals("-")) {
            return;
        }
        Output.write(Path.of(json), asJson);
    }
}

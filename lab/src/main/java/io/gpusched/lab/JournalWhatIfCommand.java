package io.gpusched.lab;

import io.gpusched.core.model.Check;
import io.gpusched.lab.whatif.Journals;
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
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab what-if --journal data",
            "  lab what-if --journal data --since 2025-01-01T00:00:00Z --policy fair",
            "  lab what-if --journal day.jsonl.gz --since 1200 --policy sjf --json answer.json",
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
            description = "Exported journal file, or data folder of a scheduler.")
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

package io.gpusched.lab.swf;

import java.nio.file.Path;
import java.util.List;

/// The page of results.
public final class SwfPage {
    /// The row of a trained model.
    public static final String LEARNED = "learned";

    private SwfPage() {}

    /// @param file where the page goes
    public static String text(Path file, List<SequenceTable> tables) {
        var text = new StringBuilder();
        SequenceTable.Setup setup = tables.getFirst().setup();
        text.append("# Sequences of a batch log: ").append(setup.trace()).append("\n\n");
        text.append("Written by `bin/lab swf --trace FILE --procs N --report ");
        text.append(file.getFileName()).append("`: the tables of RLScheduler (SC 2020),\n");
        text.append("run by the production core on one machine with many cores. Means over the ");
        text.append("sequences of ").append(setup.length());
        text.append(" jobs\nthat seed ").append(setup.seed()).append(" draws; ");
        text.append("*equal* counts single values that agree with the published program's to");
        text.append(" four digits.\n");
        for (SequenceTable sequenceTable : tables) {
            text.append("\n## ").append(sequenceTable.setup().backfill() ? "With" : "Without");
            text.append(" backfilling\n\n");
            text.append("| policy | bounded slowdown | wait, s | utilization | equal |\n");
            text.append("|---|---|---|---|---|\n");
            for (List<String> row : sequenceTable.means()) {
                text.append("| ").append(String.join(" | ", row)).append(" |\n");
            }
            gains(sequenceTable, text);
        }
        return text.toString();
    }

    /// Compares the learned order with the others, if it ran.
    private static void gains(SequenceTable sequenceTable, StringBuilder text) {
        List<List<String>> gains = sequenceTable.gains(LEARNED);
        if (gains.isEmpty()) {
            return;
        }
        text.append("\nSlowdowns under `learned` compared sequence by sequence (mean of the");
        text.append(
                " logarithms of the ratios, with its\nstandard error; negative if larger):\n\n");
        text.append("| compared with | smaller by | in |\n|---|---|---|\n");
        for (List<String> row : gains) {
            text.append("| ").append(String.join(" | ", row)).append(" sequences |\n");
        }
    }
}

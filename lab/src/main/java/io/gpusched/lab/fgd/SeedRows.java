package io.gpusched.lab.fgd;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.TextLines;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/// Reads files with one line for each seed: the seed, then numbers from 0 on, with blanks between.
final class SeedRows {
    private SeedRows() {}

    /// The order in which pods arrive. A pod may arrive more than once.
    static Map<Integer, int[]> orders(Path file, int pods) {
        return read(file, pods, "rows of the file of pods", false);
    }

    /// The rank of every machine, each of them once: a rank that is missing or given twice would
    /// leave it open how ties between machines are broken.
    static Map<Integer, int[]> ranks(Path file, int machines) {
        return read(file, machines, "ranks, one for each machine and none twice", true);
    }

    private static Map<Integer, int[]> read(Path file, int size, String what, boolean whole) {
        String expected = "a seed, then %s, 0 to %d".formatted(what, size - 1);
        var rows = new TreeMap<Integer, int[]>();
        try (TextLines textLines = TextLines.open(file, "lines of " + expected)) {
            for (String line = textLines.next(); line != null; line = textLines.next()) {
                int[] numbers;
                try {
                    numbers =
                            Arrays.stream(line.strip().split("\\s+", -1))
                                    .mapToInt(Integer::parseInt)
                                    .toArray();
                } catch (NumberFormatException e) {
                    throw textLines.wrong(expected, line);
                }
                int[] row = Arrays.copyOfRange(numbers, 1, numbers.length);
                check(textLines, expected, row, size, whole);
                if (rows.put(numbers[0], row) != null) {
                    throw textLines.wrong("each seed once", "seed " + numbers[0] + " again");
                }
            }
        }
        if (rows.isEmpty()) {
            throw new BadTrace("%s is empty; expected lines of %s".formatted(file, expected));
        }
        return rows;
    }

    private static void check(
            TextLines textLines, String expected, int[] row, int size, boolean whole) {
        var seen = new boolean[size];
        for (int number : row) {
            if (number < 0 || number >= size) {
                throw textLines.wrong(expected, Integer.toString(number));
            }
            if (whole && seen[number]) {
                throw textLines.wrong(expected, number + " twice");
            }
            seen[number] = true;
        }
        if (row.length == 0 || (whole && row.length < size)) {
            throw textLines.wrong(expected, row.length + " numbers instead of " + size);
        }
    }
}

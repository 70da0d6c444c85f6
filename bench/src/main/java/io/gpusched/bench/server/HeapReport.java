package io.gpusched.bench.server;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What `jcmd GC.heap_info` says, read for any collector.
final class HeapReport {
    /// ` garbage-first heap   total reserved 2097152K, committed 1933312K, used 905216K [...`
    private static final Pattern USED = Pattern.compile("\\bused (\\d+)([KMG])");

    private HeapReport() {}

    /// Space used by all generations together, without metaspace, in MiB.
    static double usedMiB(String report) throws IOException {
        double sum = 0;
        boolean found = false;
        for (String line : report.split("\n")) {
            Matcher used = USED.matcher(line);
            if (isSpace(line) && used.find()) {
                found = true;
                sum += Long.parseLong(used.group(1)) * mebibytes(used.group(2));
            }
        }
        if (!found) {
            throw new IOException("expected the used heap, found: " + report);
        }
        return sum;
    }

    /// One line per generation, or one for all; parts of a generation and classes come under other
    /// names.
    private static boolean isSpace(String line) {
        return line.matches(".*(garbage-first heap|DefNew|Tenured|PSYoungGen|ParOldGen).*");
    }

    private static double mebibytes(String unit) {
        return switch (unit) {
            case "K" -> 1 / 1024.0;
            case "M" -> 1;
            default -> 1024;
        };
    }
}

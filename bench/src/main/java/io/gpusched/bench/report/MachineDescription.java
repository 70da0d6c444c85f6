package io.gpusched.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The machine on which the figures were measured. Unknown properties are reported as unknown.
///
/// @param load what the machine was doing just before, as the average number of busy threads over a
///        minute; negative when unknown
public record MachineDescription(
        int cores, String processor, long memoryMiB, String kernel, String jdk, double load) {
    private static final String UNKNOWN = "unknown";

    public static MachineDescription here() {
        return new MachineDescription(
                Runtime.getRuntime().availableProcessors(),
                processorName(),
                totalMemoryMiB(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                loadOfLastMinute());
    }

    private static String processorName() {
        for (String line : lines("/proc/cpuinfo")) {
            if (line.startsWith("model name")) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        return System.getProperty("os.arch", UNKNOWN);
    }

    private static long totalMemoryMiB() {
        for (String line : lines("/proc/meminfo")) {
            if (line.startsWith("MemTotal:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
            }
        }
        return -1;
    }

    private static double loadOfLastMinute() {
        List<String> lines = lines("/proc/loadavg");
        return lines.isEmpty() ? -1 : Double.parseDouble(lines.getFirst().split(" ")[0]);
    }

    private static List<String> lines(String path) {
        try {
            return Files.readAllLines(Path.of(path));
        } catch (IOException e) {
            return List.of();
        }
    }
}

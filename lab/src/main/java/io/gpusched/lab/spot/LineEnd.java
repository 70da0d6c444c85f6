package io.gpusched.lab.spot;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.FileProblem;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/// The line end of a file. Results are written with the line end of the expected ones, so that the
/// two files can be compared byte by byte.
public final class LineEnd {
    private LineEnd() {}

    public static String of(Path file) {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in =
                        new BufferedInputStream(
                                file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw)) {
            int before = 0;
            for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
                before = each;
            }
            return before == '\r' ? "\r\n" : "\n";
        } catch (IOException e) {
            throw new BadTrace("cannot read %s: %s".formatted(file, FileProblem.with(e)));
        }
    }
}

package io.gpusched.conventions;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.JavaFormatterOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What `bin/format` runs: google-java-format in AOSP style, after `DocLines`.
public final class Format {
    private static final Formatter FORMATTER =
            new Formatter(
                    JavaFormatterOptions.builder().style(JavaFormatterOptions.Style.AOSP).build());

    private Format() {}

    /// Formats the files that the list file `arguments[0]` names, one per line. With `--check` as
    /// the second argument it writes nothing; it prints the names of unformatted files and exits
    /// with 1.
    public static void main(String[] arguments) throws IOException {
        boolean check = List.of(arguments).contains("--check");
        boolean clean = true;
        for (String name : Files.readAllLines(Path.of(arguments[0]))) {
            clean &= format(Path.of(name), check);
        }
        System.exit(clean ? 0 : 1);
    }

    private static boolean format(Path file, boolean check) throws IOException {
        String before = Files.readString(file);
        String after;
        try {
            after = formatted(before);
        } catch (FormatterException e) {
            System.err.println(file + ": " + e.getMessage());
            return false;
        }
        if (after.equals(before)) {
            return true;
        }
        if (check) {
            System.out.println(file);
            return false;
        }
        Files.writeString(file, after);
        return true;
    }

    static String formatted(String source) throws FormatterException {
        return FORMATTER.formatSourceAndFixImports(DocLines.wrap(source));
    }
}

package io.gpusched.lab;

import java.io.PrintWriter;
import java.io.StringWriter;

/// The output and exit code of a lab command, run in this process.
record Ran(int code, String out, String err) {
    static Ran lab(String... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code =
                Main.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(words);
        return new Ran(code, out.toString(), err.toString());
    }
}

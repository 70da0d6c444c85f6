package io.gpusched.cli.command;

import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.Rest;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/// Prints the last lines of a log. The server counts bytes, so a growing part of the end is fetched
/// until it contains enough lines.
final class LastLines {
    private static final long FIRST = 16 << 10;
    private static final long MOST = 1 << 20;

    private LastLines() {}

    /// Prints the last `lines` lines and returns the offset after them.
    static long print(CliSession cliSession, ApiPath apiPath, long lines) {
        for (long bytes = FIRST; ; bytes *= 8) {
            var end = new ByteArrayOutputStream();
            Rest.Copied copied =
                    cliSession
                            .rest()
                            .copy(apiPath.with("offset", Long.toString(-bytes)), end, false);
            byte[] fetched = end.toByteArray();
            int start = start(fetched, lines);
            if (start > 0 || fetched.length < bytes || bytes >= MOST) {
                PrintStream out = cliSession.printer().raw();
                out.write(fetched, start, fetched.length - start);
                out.flush();
                return Math.max(fetched.length, copied.next());
            }
        }
    }

    /// Offset of the last `lines` lines; 0 if there are no more than that.
    private static int start(byte[] text, long lines) {
        int at = text.length;
        long found = 0;
        while (at > 0) {
            boolean lineEndsBefore = text[at - 1] == '\n' && at < text.length;
            if (lineEndsBefore && ++found >= lines) {
                return at;
            }
            at--;
        }
        return lines <= 0 ? text.length : 0;
    }
}

package io.gpusched.server;

import java.util.List;

/// The main class of `bin/scheduler`. It prints one line to standard output when the server is
/// ready; everything else goes to standard error.
public final class Main {
    private Main() {}

    public static void main(String... words) {
        int code = Launch.run(List.of(words), System.getenv(), server -> () -> {}, () -> {});
        if (code != 0) {
            System.exit(code);
        }
    }
}

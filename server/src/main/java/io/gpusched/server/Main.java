package io.gpusched.server;

import java.util.List;

/// `bin/scheduler`. One line on standard output says when it is ready and where; everything else
/// goes to standard error.
public final class Main {
    private Main() {}

    public static void main(String... words) {
        int code = Launch.run(List.of(words), System.getenv(), server -> () -> {}, () -> {});
        if (code != 0) {
            System.exit(code);
        }
    }
}
